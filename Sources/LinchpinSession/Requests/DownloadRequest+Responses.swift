public import Dispatch
public import Foundation
public import FoundationNetworking

extension DownloadRequest {
    /// Calls back with the file's place.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func response(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (DownloadResponse<URL?, SessionError>) -> Void
    ) -> Self {
        respond(on: queue, { $0.rawDownload() }, completionHandler)
    }

    /// Calls back with what a serializer makes of the file.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - responseSerializer: makes the value.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func response<Serializer: DownloadResponseSerializerProtocol>(
        queue: DispatchQueue? = nil,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (DownloadResponse<Serializer.SerializedObject, SessionError>) -> Void
    ) -> Self {
        respond(on: queue, { $0.download(responseSerializer) }, completionHandler)
    }

    /// Calls back with the file's place; without a file that is an error.
    @discardableResult
    public func responseURL(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (DownloadResponse<URL, SessionError>) -> Void
    ) -> Self {
        response(queue: queue, responseSerializer: URLResponseSerializer(), completionHandler: completionHandler)
    }

    /// Calls back with the file's bytes, read into memory.
    @discardableResult
    public func responseData(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (DownloadResponse<Data, SessionError>) -> Void
    ) -> Self {
        response(queue: queue, responseSerializer: DataResponseSerializer(), completionHandler: completionHandler)
    }

    /// Calls back with the file as text; see ``StringResponseSerializer``.
    @discardableResult
    public func responseString(
        queue: DispatchQueue? = nil,
        encoding: String.Encoding? = nil,
        completionHandler: @escaping @Sendable (DownloadResponse<String, SessionError>) -> Void
    ) -> Self {
        let serializer = StringResponseSerializer(encoding: encoding)
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    /// Calls back with the value that a decoder makes of the file; see ``DecodableResponseSerializer``.
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue? = nil,
        decoder: any DataDecoder = JSONDecoder(),
        completionHandler: @escaping @Sendable (DownloadResponse<Value, SessionError>) -> Void
    ) -> Self {
        let serializer = DecodableResponseSerializer<Value>(decoder: decoder)
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    /// What a serializer makes of the file, for `await`.
    public func serializingDownload<Serializer: DownloadResponseSerializerProtocol>(
        using serializer: Serializer
    ) -> DownloadTask<Serializer.SerializedObject> {
        DownloadTask(ResponseTask(self) { $0.download(serializer) })
    }

    /// The file's place, for `await`.
    public func serializingDownloadedFileURL() -> DownloadTask<URL> {
        serializingDownload(using: URLResponseSerializer())
    }

    /// The file's bytes, read into memory, for `await`.
    public func serializingData() -> DownloadTask<Data> { serializingDownload(using: DataResponseSerializer()) }

    /// The file as text, for `await`; see ``StringResponseSerializer``.
    public func serializingString(encoding: String.Encoding? = nil) -> DownloadTask<String> {
        serializingDownload(using: StringResponseSerializer(encoding: encoding))
    }

    /// The value that a decoder makes of the file, for `await`; see ``DecodableResponseSerializer``.
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        decoder: any DataDecoder = JSONDecoder()
    ) -> DownloadTask<Value> {
        serializingDownload(using: DecodableResponseSerializer<Value>(decoder: decoder))
    }

    /// Checks the response with a closure of the caller's, before it is serialized; after the checks that came before.
    ///
    /// - Parameters:
    ///   - validation: called on a queue of the session's with the request, the response and the file's place; its
    ///     error reaches the handlers as `.responseValidationFailed(.customValidationFailed)`.
    @discardableResult
    public func validate(
        _ validation: @escaping @Sendable (URLRequest?, HTTPURLResponse, URL?) -> Result<Void, any Error>
    ) -> Self {
        add { outcome in
            guard let response = outcome.response,
                case .failure(let error) = validation(outcome.request, response, outcome.fileURL)
            else { return nil }
            return ResponseValidation.error(error)
        }
    }

    private func respond<Value: Sendable>(
        on queue: DispatchQueue?,
        _ make: @escaping @Sendable (ExchangeOutcome) -> DownloadResponse<Value, SessionError>,
        _ completionHandler: @escaping @Sendable (DownloadResponse<Value, SessionError>) -> Void
    ) -> Self {
        whenFinished(QueueHandler(on: queue ?? core.callbackQueue, monitored(make), completionHandler))
        return self
    }
}
