public import Dispatch
public import Foundation

extension DownloadRequest {
    /// Calls back with the file's place.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func response(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (DownloadResponse<URL, SessionError>) -> Void
    ) -> Self {
        respond(on: queue, { $0.download { $0 } }, completionHandler)
    }

    /// Calls back with the file's bytes, read into memory.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func responseData(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (DownloadResponse<Data, SessionError>) -> Void
    ) -> Self {
        respond(on: queue, { $0.download { url throws(SessionError) in try url.content() } }, completionHandler)
    }

    /// The file's place, for `await`.
    public func serializingDownloadedFileURL() -> DownloadTask<URL> {
        DownloadTask(ResponseTask(self) { $0.download { $0 } })
    }

    func respond<Value: Sendable>(
        on queue: DispatchQueue?,
        _ make: @escaping @Sendable (ExchangeOutcome) -> DownloadResponse<Value, SessionError>,
        _ completionHandler: @escaping @Sendable (DownloadResponse<Value, SessionError>) -> Void
    ) -> Self {
        whenFinished(ResponseHandler(on: queue ?? core.callbackQueue, monitored(make), completionHandler))
        return self
    }
}

extension URL {
    /// The bytes of the file.
    fileprivate func content() throws(SessionError) -> Data {
        do {
            return try Data(contentsOf: self)
        } catch {
            throw .responseSerializationFailed(reason: .inputFileReadFailed(at: self))
        }
    }
}
