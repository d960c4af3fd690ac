internal import Foundation
internal import Glibc

/// The file that the bytes of a download go to.
final class DownloadedFile: Sendable {
    let url: URL
    private let handle: FileHandle

    /// Makes an empty file in the temporary directory that only this user can read.
    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("linchpin-\(UUID().uuidString).tmp")
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ data: Data) throws { try handle.write(contentsOf: data) }

    /// Removes the file; what is written afterwards is lost.
    func discard() { unlink(url.path) }
}
