package import Foundation
internal import Glibc

/// A directory of the test's own, readable by its user only, removed with everything in it when the last reference goes.
package final class TemporaryDirectory: Sendable {
    /// The directory's absolute path, without a slash at the end.
    package let path: String

    /// Makes a directory under `TMPDIR`, or under `/tmp`.
    package init() throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/linchpin-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallFailure("mkdtemp in \(parent)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path that a file of this name has here.
    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, readable by its user only, and returns its path.
    @discardableResult
    package func write(_ data: Data, to name: String) throws -> String {
        let file = path(of: name)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: file, contents: data, attributes: attributes) else {
            throw SystemCallFailure("writing \(file)")
        }
        return file
    }

    /// Writes a file of text, readable by its user only, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }
}
