internal import Foundation
internal import Glibc

/// Finds the programs that tests run.
enum Executable {
    /// A program that is not installed.
    struct Missing: Error, CustomStringConvertible {
        let name: String
        var description: String { "\(name) is not installed; scripts/setup installs what the tests need" }
    }

    /// The absolute path of a program: its own, or looked for in `PATH` and where Debian keeps its servers.
    static func path(of name: String) throws(Missing) -> String {
        if name.hasPrefix("/"), access(name, X_OK) == 0 { return name }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders =
            path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/bin"]
        for folder in folders where access("\(folder)/\(name)", X_OK) == 0 { return "\(folder)/\(name)" }
        throw Missing(name: name)
    }
}
