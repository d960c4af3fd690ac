public import Foundation
internal import FoundationNetworking

/// The body of a response, part by part as it comes.
///
/// The request is made and sent when the first part is asked for, by each iterator anew; a part that is not asked for
/// is not read from the server. Plugins see the request, and its end as a response without a body; their `process`,
/// which is for whole responses, is not called.
public struct ResponseStream: AsyncSequence, Sendable {
    /// A part of the body.
    public typealias Element = Data
    /// Why the body is not whole.
    public typealias Failure = ProviderError

    /// Makes the request.
    typealias Beginning = @Sendable () async throws(ProviderError) -> (request: URLRequest, work: CallWork)

    let begin: Beginning

    /// The parts from the first one.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: StreamReader(begin)) }

    /// Reads a body. Letting go of it ends the request.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: StreamReader

        /// The next part; nil after the last.
        ///
        /// - Throws: ``ProviderError``; `.underlying` around `.statusCode` for a status that
        ///   ``TargetType/validationType`` does not accept, before any part.
        public mutating func next() async throws(ProviderError) -> Data? { try await reader.next() }

        /// The next part; nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ProviderError) -> Data? {
            try await reader.next()
        }
    }
}
