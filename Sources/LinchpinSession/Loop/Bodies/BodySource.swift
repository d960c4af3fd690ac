/// Where the bytes of a request's body come from; on the loop's thread only.
protocol BodySource: AnyObject {
    /// How many bytes there are; nil where that is not known before the end, and the body is sent in chunks.
    var length: Int64? { get }

    /// Fills the buffer as far as it can.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(BodyError) -> BodyPortion

    /// Goes back to the start, for a connection that died before it answered.
    func rewind() throws(BodyError)
}

/// What a body has to give at a time.
enum BodyPortion: Equatable {
    /// So many bytes are in the buffer, at least one.
    case bytes(Int)
    /// Nothing yet: the loop is told when there is.
    case later
    case end
}

/// Why a body cannot be sent.
struct BodyError: Error {
    let message: String
    var cause: (any Error)?

    var transportError: TransportError {
        TransportError(
            code: .bodyUnreadable,
            curlCode: nil,
            message: "the request's body cannot be sent: \(message)" + (cause.map { ": \($0)" } ?? "")
        )
    }
}
