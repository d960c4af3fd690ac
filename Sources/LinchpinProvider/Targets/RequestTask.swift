public import Foundation
public import LinchpinSession

/// What a request carries; Moya's `Task`, under a name that does not hide Swift's own.
public enum RequestTask: Sendable {
    /// Nothing.
    case requestPlain
    /// A body of bytes; no Content-Type is set.
    case requestData(Data)
    /// A body of JSON that a `JSONEncoder` makes, with the Content-Type `application/json` unless there is one.
    case requestJSONEncodable(any Encodable & Sendable)
    /// A body of JSON that this encoder makes, with the Content-Type `application/json` unless there is one.
    case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)
    /// Parameters where the encoding puts them.
    case requestParameters(parameters: Parameters, encoding: any ParameterEncoding)
    /// A body of bytes, and parameters in the query; no Content-Type is set.
    case requestCompositeData(bodyData: Data, urlParameters: Parameters)
    /// Parameters in the body, and others in the query. A body encoding that is not for bodies, such as
    /// `URLEncoding.default`, is an error: ``BodyEncodingError``.
    case requestCompositeParameters(
        bodyParameters: Parameters,
        bodyEncoding: any ParameterEncoding,
        urlParameters: Parameters
    )
    /// The bytes of a file, read as they are sent; no Content-Type is set. A file that cannot be opened is an error, and
    /// nothing is sent.
    case uploadFile(URL)
    /// A form with files, with its Content-Type.
    case uploadMultipartFormData(MultipartFormData)
    /// A form with files, with its Content-Type, and parameters in the query.
    case uploadCompositeMultipartFormData(MultipartFormData, urlParameters: Parameters)
    /// Nothing, and a response that goes to a file; ``Response/data`` is then empty.
    case downloadDestination(DownloadRequest.Destination)
    /// Parameters where the encoding puts them, and a response that goes to a file; ``Response/data`` is then empty.
    case downloadParameters(
        parameters: Parameters,
        encoding: any ParameterEncoding,
        destination: DownloadRequest.Destination
    )
}
