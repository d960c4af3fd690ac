import Foundation

/// A directory that goes with the object.
final class TemporaryDirectory {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("linchpin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The bits of chmod(2) of one of its files.
    func mode(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
        let path = "\(self.path)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    func text(of name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }
}
