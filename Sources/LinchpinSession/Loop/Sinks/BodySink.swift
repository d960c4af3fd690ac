internal import Foundation
internal import FoundationNetworking

/// Where the bytes of the final response's body go; on the loop's thread only.
protocol BodySink: AnyObject {
    /// The final response's head is complete. Called once, before any byte.
    ///
    /// - Parameters:
    ///   - head: makes the response; not called where nobody looks at it.
    func begin(_ head: () -> ResponseHead?) throws(SessionError)

    /// - Returns: false to get the same bytes again, once the loop is told to go on; until then nothing is read.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(SessionError) -> Bool

    /// A body that is there as a whole, before anything else was received; it is taken, whoever reads.
    func receive(all body: Data) throws(SessionError)

    /// The transfer has ended, well or not: hands over what there is.
    func end(_ outcome: inout ExchangeOutcome)
}
