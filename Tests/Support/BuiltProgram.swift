internal import Foundation

/// The programs of this package that were built beside the tests.
package enum BuiltProgram {
    /// The absolute path of `linchpin`.
    package static var linchpin: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("linchpin")
            .path
    }
}
