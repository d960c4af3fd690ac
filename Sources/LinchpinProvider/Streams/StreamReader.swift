internal import Foundation
internal import FoundationNetworking

/// Reads the body of one response, with a second attempt where a plugin wants one.
actor StreamReader {
    private enum Phase {
        case notBegun
        case reading(StreamCall, first: Data?)
        case ended
    }

    private let begin: ResponseStream.Beginning
    private var phase = Phase.notBegun

    init(_ begin: @escaping ResponseStream.Beginning) { self.begin = begin }

    /// The next part; nil after the last.
    func next() async throws(ProviderError) -> Data? {
        do throws(ProviderError) {
            if case .notBegun = phase { try await open() }
            guard case .reading(let call, let first) = phase else { return nil }
            phase = .reading(call, first: nil)
            if let first { return first }
            let chunk = try await call.next()
            if chunk == nil { phase = .ended }
            return chunk
        } catch {
            phase = .ended
            throw error
        }
    }

    private func open() async throws(ProviderError) {
        let (request, work) = try await begin()
        var call = try StreamCall(request, work)
        var first = try await call.next()
        if let wait = await call.replay() {
            let waited = await AnswerPromise<Result<Void, any Error>>.answer(otherwise: .cancelled) { promise in
                // What others wait for too goes on when this reader is cancelled.
                ReplayPause(wait).start { promise.keep(.success($0)) }
            }
            if case .failure(let error) = try waited.get() { throw .underlying(error, await call.response) }
            call = try StreamCall(request, work)
            first = try await call.next()
        }
        try await call.validate()
        phase = first == nil ? .ended : .reading(call, first: first)
    }
}
