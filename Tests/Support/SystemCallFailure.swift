internal import Glibc

/// A call that the system refused, with errno's words.
package struct SystemCallFailure: Error, CustomStringConvertible {
    package let description: String

    /// Takes errno as the call left it, or the number that the call returned in its place.
    package init(_ call: String, number: Int32 = errno) {
        description = "\(call): \(String(cString: strerror(number)))"
    }
}
