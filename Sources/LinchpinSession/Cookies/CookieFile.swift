internal import Foundation
internal import Glibc

/// A jar's file, replaced as a whole and readable by its owner only.
struct CookieFile {
    let url: URL

    /// Its text; nil where there is no file.
    func read() throws(CookieError) -> String? {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw failure("read")
            }
        }
    }

    /// Writes another file beside it, and puts it in its place.
    func write(_ text: String) throws(CookieError) {
        let temporary = "\(url.path).\(UUID().uuidString)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write") }
        let isWritten = Self.write(Array(text.utf8), to: descriptor)
        close(descriptor)
        guard isWritten, rename(temporary, url.path) == 0 else {
            let error = failure("write")
            unlink(temporary)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return fsync(descriptor) == 0
    }

    private func failure(_ what: String) -> CookieError {
        CookieError(reason: "cannot \(what) the cookie file \(url.path): \(String(cString: strerror(errno)))")
    }
}
