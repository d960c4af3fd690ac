internal import Foundation

/// A stream that a form was given, and the length that was announced for it.
final class PartStream {
    let stream: InputStream
    let length: UInt64

    init(_ stream: InputStream, length: UInt64) {
        self.stream = stream
        self.length = length
    }
}

// The caller gave the stream away with `append`, and the form only carries it: it is read by the one reader of the
// form's body, on the one thread that reads.
extension PartStream: @unchecked Sendable {}
