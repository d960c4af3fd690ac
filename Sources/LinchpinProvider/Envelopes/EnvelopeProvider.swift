public import Dispatch
public import Foundation

/// A provider of an API that wraps what it answers; it unwraps by one format.
///
/// ```swift
/// let library = EnvelopeProvider(EndpointProvider<Library>(), format: EnvelopeFormat(codeKey: "status"))
/// let book = try await library.request(.book(id: 1), as: Book.self)
/// for try await page in library.pages(of: Book.self, { .books(page: $0) }) { show(page.data) }
/// ```
public struct EnvelopeProvider<Target: TargetType>: Sendable {
    /// Sends the requests.
    public let provider: EndpointProvider<Target>
    /// How the API wraps what it answers.
    public let format: EnvelopeFormat
    /// Makes the decoder of each answer.
    private let decoder: @Sendable () -> JSONDecoder

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - provider: sends the requests.
    ///   - format: how the API wraps what it answers.
    ///   - decoder: makes the decoder of each answer, a `JSONDecoder` by default.
    public init(
        _ provider: EndpointProvider<Target>,
        format: EnvelopeFormat = EnvelopeFormat(),
        decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) {
        self.provider = provider
        self.format = format
        self.decoder = decoder
    }

    /// The data of the answer.
    ///
    /// Where the answer has no data, an Optional is nil and ``NoData`` is itself; anything else is an error. Cancelling
    /// the task cancels the request.
    ///
    /// - Throws: ``EnvelopeError`` when the API calls it an error, whatever the status; ``ProviderError`` for anything
    ///   else.
    public func request<Value: Decodable & Sendable>(_ target: Target, as type: Value.Type) async throws -> Value {
        try value(type, in: try await provider.request(target))
    }

    /// A page of a list.
    ///
    /// - Throws: as ``request(_:as:)`` does.
    public func list<Item: Decodable & Sendable>(
        _ target: Target,
        of type: Item.Type
    ) async throws -> ListEnvelope<Item> {
        try await provider.request(target).successfulEnvelope(ListEnvelope<Item>.self, format, decoder())
    }

    /// All pages of a list, each asked for when it is wanted. They end with the page after which the API names no
    /// other, by `next`, by `pages` or by `total` and `size`. Pages that begin with number 0 are counted from 0.
    ///
    /// - Parameters:
    ///   - type: what the items are.
    ///   - start: the number of the first page, 1 by default.
    ///   - target: the target for a page's number.
    public func pages<Item: Decodable & Sendable>(
        of type: Item.Type,
        from start: Int = 1,
        _ target: @escaping @Sendable (Int) -> Target
    ) -> PageSequence<Target, Item> {
        PageSequence(provider: self, start: start, target: target)
    }

    /// Makes the target's request and calls exactly one of three closures, once.
    ///
    /// - Parameters:
    ///   - target: what to ask for.
    ///   - type: what the data is.
    ///   - callbackQueue: where the closures are called; the provider's by default.
    ///   - success: takes the data.
    ///   - error: takes what the API calls an error.
    ///   - failure: takes why there is no answer of the API's.
    /// - Returns: what cancels the request.
    @preconcurrency
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type,
        callbackQueue: DispatchQueue? = nil,
        success: @escaping @Sendable (Value) -> Void,
        error: @escaping @Sendable (EnvelopeError) -> Void,
        failure: @escaping @Sendable (ProviderError) -> Void
    ) -> any Cancellable {
        provider.request(target, callbackQueue: callbackQueue) { [self] result in
            switch EnvelopeResult(catching: { try value(type, in: try result.get()) }) {
            case .success(let value): success(value)
            case .error(let reason): error(reason)
            case .failure(let reason): failure(reason)
            }
        }
    }

    private func value<Value: Decodable & Sendable>(_ type: Value.Type, in response: Response) throws -> Value {
        let decoder = decoder()
        let envelope = try response.successfulEnvelope(ResponseEnvelope<Value>.self, format, decoder)
        if let data = envelope.data { return data }
        do {
            return try decoder.decode(type, from: Data("null".utf8))
        } catch {
            throw ProviderError.objectMapping(error, response)
        }
    }
}
