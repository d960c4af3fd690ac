public import Foundation
public import FoundationNetworking

/// Makes a value of a response that is kept in memory.
public protocol DataResponseSerializerProtocol<SerializedObject>: Sendable {
    /// What is made.
    associatedtype SerializedObject: Sendable

    /// The value. It is called on the queue on which serializers run, not on the caller's.
    ///
    /// - Parameters:
    ///   - request: the last request that was sent; nil when none could be made.
    ///   - response: the final response; nil when none came.
    ///   - data: its body; nil when none came.
    ///   - error: why the request failed. A serializer that does not know better throws it as it is.
    /// - Throws: a ``SessionError`` as it is; another error reaches the caller as
    ///   `.responseSerializationFailed(.customSerializationFailed)`.
    func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> SerializedObject
}

/// Makes a value of a response whose body is in a file.
public protocol DownloadResponseSerializerProtocol<SerializedObject>: Sendable {
    /// What is made.
    associatedtype SerializedObject: Sendable

    /// The value. It is called on the queue on which serializers run, not on the caller's.
    ///
    /// - Parameters:
    ///   - request: the last request that was sent; nil when none could be made.
    ///   - response: the final response; nil when none came.
    ///   - fileURL: where the body is; nil when none came.
    ///   - error: why the request failed. A serializer that does not know better throws it as it is.
    /// - Throws: as ``DataResponseSerializerProtocol`` does.
    func serializeDownload(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: (any Error)?
    ) throws -> SerializedObject
}

/// Makes a value of a response, wherever its body is.
public protocol ResponseSerializer<SerializedObject>: DataResponseSerializerProtocol,
    DownloadResponseSerializerProtocol
{
    /// Changes the body before it is read; nothing by default.
    var dataPreprocessor: any DataPreprocessor { get }
    /// The methods whose responses may have no body; HEAD by default.
    var emptyRequestMethods: Set<HTTPMethod> { get }
    /// The statuses of responses that may have no body; 204 and 205 by default (RFC 9110 §15.3.5, §15.3.6).
    var emptyResponseCodes: Set<Int> { get }
}

/// What says by default that a response may have no body; made once.
private enum EmptyResponses {
    static let methods: Set<HTTPMethod> = [.head]
    static let codes: Set<Int> = [204, 205]
}

/// A serializer that looks at the response only where there is no body.
protocol BodySerializer {}

extension ResponseSerializer {
    /// Changes nothing.
    public static var defaultDataPreprocessor: any DataPreprocessor { PassthroughPreprocessor() }
    /// HEAD.
    public static var defaultEmptyRequestMethods: Set<HTTPMethod> { EmptyResponses.methods }
    /// 204 and 205.
    public static var defaultEmptyResponseCodes: Set<Int> { EmptyResponses.codes }

    /// Changes nothing.
    public var dataPreprocessor: any DataPreprocessor { Self.defaultDataPreprocessor }
    /// HEAD.
    public var emptyRequestMethods: Set<HTTPMethod> { Self.defaultEmptyRequestMethods }
    /// 204 and 205.
    public var emptyResponseCodes: Set<Int> { Self.defaultEmptyResponseCodes }

    /// Whether a response to this request may have no body; nil when there is no request.
    public func requestAllowsEmptyResponseData(_ request: URLRequest?) -> Bool? {
        request?.method.map(emptyRequestMethods.contains)
    }

    /// Whether a response of this status may have no body; nil when there is no response.
    public func responseAllowsEmptyResponseData(_ response: HTTPURLResponse?) -> Bool? {
        response.map { emptyResponseCodes.contains($0.statusCode) }
    }

    /// Whether there may be no body, because of the request's method or of the response's status.
    public func emptyResponseAllowed(forRequest request: URLRequest?, response: HTTPURLResponse?) -> Bool {
        requestAllowsEmptyResponseData(request) == true || responseAllowsEmptyResponseData(response) == true
    }

    /// Reads the file and makes the value as of a body in memory.
    ///
    /// - Throws: the given error; `.inputFileNil` and `.inputFileReadFailed`; what ``serialize(request:response:data:error:)``
    ///   throws.
    public func serializeDownload(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: (any Error)?
    ) throws -> SerializedObject {
        if let error { throw error }
        guard let fileURL else { throw SessionError.responseSerializationFailed(reason: .inputFileNil) }
        let data: Data
        do {
            data = try Data(contentsOf: fileURL)
        } catch {
            throw SessionError.responseSerializationFailed(reason: .inputFileReadFailed(at: fileURL))
        }
        return try serialize(request: request, response: response, data: data, error: nil)
    }

    /// The body to read, preprocessed; nil for one that is empty and may be.
    ///
    /// - Throws: the given error, `.inputDataNilOrZeroLength` for a body that is empty and may not be, and what the
    ///   preprocessor throws.
    func body(
        _ data: Data?,
        _ request: URLRequest?,
        _ response: HTTPURLResponse?,
        _ error: (any Error)?
    ) throws -> Data? {
        if let error { throw error }
        if let data, !data.isEmpty { return try dataPreprocessor.preprocess(data) }
        guard emptyResponseAllowed(forRequest: request, response: response) else {
            throw SessionError.responseSerializationFailed(reason: .inputDataNilOrZeroLength)
        }
        return nil
    }
}

extension DataResponseSerializerProtocol {
    /// What the serializer makes, any other error than a ``SessionError`` as the cause of one.
    func result(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: SessionError?
    ) -> Result<SerializedObject, SessionError> {
        Result { try serialize(request: request, response: response, data: data, error: error) }
            .mapError(\.asSerializationError)
    }
}

extension DownloadResponseSerializerProtocol {
    /// What the serializer makes, any other error than a ``SessionError`` as the cause of one.
    func result(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: SessionError?
    ) -> Result<SerializedObject, SessionError> {
        Result { try serializeDownload(request: request, response: response, fileURL: fileURL, error: error) }
            .mapError(\.asSerializationError)
    }
}

extension Error {
    /// The error as it is, or as the cause of `.responseSerializationFailed(.customSerializationFailed)`.
    var asSerializationError: SessionError {
        self as? SessionError ?? .responseSerializationFailed(reason: .customSerializationFailed(error: self))
    }
}
