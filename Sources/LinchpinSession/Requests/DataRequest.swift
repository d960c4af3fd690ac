public import Dispatch
public import Foundation
public import FoundationNetworking
internal import Synchronization

/// A request whose response is kept in memory.
///
/// Handlers and tasks can be added at any time; what they serialize is serialized off the loop's thread.
public class DataRequest: Request, @unchecked Sendable {
    /// The body, once the request has ended with one.
    public var data: Data? { status.withLock { $0.outcome?.data } }

    override var usesCache: Bool { true }

    /// Checks the response with a closure of the caller's, before it is serialized; after the checks that came before.
    ///
    /// - Parameters:
    ///   - validation: called on a queue of the session's; its error reaches the handlers as
    ///     `.responseValidationFailed(.customValidationFailed)`, a ``SessionError`` as it is.
    @discardableResult
    public func validate(
        _ validation: @escaping @Sendable (URLRequest?, HTTPURLResponse, Data?) -> Result<Void, any Error>
    ) -> Self {
        add { outcome in
            guard let response = outcome.response,
                case .failure(let error) = validation(outcome.request, response, outcome.data)
            else { return nil }
            return ResponseValidation.error(error)
        }
    }
}

// MARK: - Handlers

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
        respond(on: queue, { $0.rawResponse() }, completionHandler)
    }

    /// Calls back with what a serializer makes of the response.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - responseSerializer: makes the value.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func response<Serializer: DataResponseSerializerProtocol>(
        queue: DispatchQueue? = nil,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (DataResponse<Serializer.SerializedObject, SessionError>) -> Void
    ) -> Self {
        respond(on: queue, { $0.response(responseSerializer) }, completionHandler)
    }

    /// Calls back with the body. One of no bytes is an error, unless the method or the status says that there is none.
    @discardableResult
    public func responseData(
        queue: DispatchQueue? = nil,
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (DataResponse<Data, SessionError>) -> Void
    ) -> Self {
        let serializer = DataResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    /// Calls back with the body as text; see ``StringResponseSerializer``.
    @discardableResult
    public func responseString(
        queue: DispatchQueue? = nil,
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (DataResponse<String, SessionError>) -> Void
    ) -> Self {
        let serializer = StringResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            encoding: encoding,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    /// Calls back with the body as a JSON object; see ``JSONResponseSerializer``.
    @discardableResult
    public func responseJSON(
        queue: DispatchQueue? = nil,
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONSerialization.ReadingOptions = .fragmentsAllowed,
        completionHandler: @escaping @Sendable (DataResponse<any Sendable, SessionError>) -> Void
    ) -> Self {
        let serializer = JSONResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    /// Calls back with the value that a decoder makes of the body; see ``DecodableResponseSerializer``.
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue? = nil,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (DataResponse<Value, SessionError>) -> Void
    ) -> Self {
        let serializer = DecodableResponseSerializer<Value>(
            dataPreprocessor: dataPreprocessor,
            decoder: decoder,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    private func respond<Value: Sendable>(
        on queue: DispatchQueue?,
        _ make: @escaping @Sendable (ExchangeOutcome) -> DataResponse<Value, SessionError>,
        _ completionHandler: @escaping @Sendable (DataResponse<Value, SessionError>) -> Void
    ) -> Self {
        whenFinished(QueueHandler(on: queue ?? core.callbackQueue, monitored(make), completionHandler))
        return self
    }
}
