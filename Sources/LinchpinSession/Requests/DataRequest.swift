public import Dispatch
public import Foundation
internal import FoundationNetworking
internal import Synchronization

/// A request whose response is kept in memory.
public class DataRequest: Request, @unchecked Sendable {
    /// The body, once the request has ended with one.
    public var data: Data? { status.withLock { $0.outcome?.data } }

    override var usesCache: Bool { true }
}

extension DataRequest {
    /// Calls back with the response, its body as it came.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func response(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (DataResponse<Data?, SessionError>) -> Void
    ) -> Self {
        respond(on: queue, { $0.response { $0 } }, completionHandler)
    }

    /// Calls back with the body; a body of no bytes is no error.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func responseData(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (DataResponse<Data, SessionError>) -> Void
    ) -> Self {
        respond(on: queue, { $0.response { $0 ?? Data() } }, completionHandler)
    }

    /// Calls back with the value that the decoder makes of the body.
    ///
    /// - Parameters:
    ///   - type: what to decode.
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - decoder: makes the value, a `JSONDecoder` by default.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue? = nil,
        decoder: JSONDecoder = JSONDecoder(),
        completionHandler: @escaping @Sendable (DataResponse<Value, SessionError>) -> Void
    ) -> Self {
        respond(on: queue, { $0.decoded(type, by: decoder) }, completionHandler)
    }

    /// The body, for `await`.
    public func serializingData() -> DataTask<Data> {
        task { $0.response { $0 ?? Data() } }
    }

    /// The value that the decoder makes of the body, for `await`.
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) -> DataTask<Value> {
        task { $0.decoded(type, by: decoder) }
    }

    private func task<Value: Sendable>(
        _ make: @escaping @Sendable (ExchangeOutcome) -> DataResponse<Value, SessionError>
    ) -> DataTask<Value> {
        DataTask(ResponseTask(self, make))
    }

    private func respond<Value: Sendable>(
        on queue: DispatchQueue?,
        _ make: @escaping @Sendable (ExchangeOutcome) -> DataResponse<Value, SessionError>,
        _ completionHandler: @escaping @Sendable (DataResponse<Value, SessionError>) -> Void
    ) -> Self {
        whenFinished(ResponseHandler(on: queue ?? core.callbackQueue, monitored(make), completionHandler))
        return self
    }
}

extension ExchangeOutcome {
    fileprivate func decoded<Value: Decodable>(
        _ type: Value.Type,
        by decoder: JSONDecoder
    ) -> DataResponse<Value, SessionError> {
        response { data throws(SessionError) in
            guard let data, !data.isEmpty else {
                throw .responseSerializationFailed(reason: .inputDataNilOrZeroLength)
            }
            do {
                return try decoder.decode(type, from: data)
            } catch {
                throw .responseSerializationFailed(reason: .decodingFailed(error: error))
            }
        }
    }
}
