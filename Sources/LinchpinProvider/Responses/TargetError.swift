public import Foundation
internal import LinchpinSession

/// Which part of which target could not be made into a request.
public struct TargetError: Error, Sendable {
    /// The target's type and case, such as `Library.search`; what the case carries is left out.
    public let target: String
    /// The part, such as `headers.X-Client` or `task.parameters.filter.since`.
    public let field: String
    /// What is wrong with it.
    public let cause: any Error
}

extension TargetError: CustomStringConvertible, LocalizedError {
    /// Target, part and cause.
    public var description: String { "\(target), \(field): \(Self.text(of: cause))" }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// What an error says. Swift's own words for a coding error repeat the value, which may be secret.
    static func text(of error: any Error) -> String {
        switch error {
        case EncodingError.invalidValue(_, let context): context.debugDescription
        case DecodingError.dataCorrupted(let context) where context.underlyingError == nil:
            "the value at \(place(of: context.codingPath)) is not one of its type"
        case let error as SessionError: innermost(error).map(text) ?? error.description
        default: "\(error)"
        }
    }

    private static func place(of path: [any CodingKey]) -> String {
        let place = path.reduce("") { place, key in
            key.intValue.map { "\(place)[\($0)]" } ?? (place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)")
        }
        return place.isEmpty ? "the top" : place
    }

    private static func innermost(_ error: SessionError) -> (any Error)? {
        if case .parameterEncodingFailed = error { error.underlyingError } else { nil }
    }
}

extension ProviderError {
    /// The error of making a request, naming the target and the part that is at fault.
    func naming(_ target: any TargetType) -> ProviderError {
        func wrapped(_ field: String, _ cause: any Error) -> any Error {
            cause as? TargetError ?? TargetError(target: target.nameInErrors, field: field, cause: cause)
        }
        return switch self {
        case .requestMapping(let text): .requestMapping("\(target.nameInErrors), url: \(Redaction.url(text))")
        case .encodableMapping(let error): .encodableMapping(wrapped(Self.field(of: error, in: "task"), error))
        case .parameterEncoding(let error): .parameterEncoding(wrapped(Self.parameter(in: error), error))
        case .underlying(SessionError.urlRequestValidationFailed(.invalidHeader(let name)), nil):
            .underlying(wrapped("headers.\(name)", underlyingError ?? self), nil)
        case .underlying(SessionError.urlRequestValidationFailed(.invalidMethod), nil):
            .underlying(wrapped("method", underlyingError ?? self), nil)
        case .underlying(SessionError.urlRequestValidationFailed(.invalidCredential), nil):
            .underlying(wrapped("credential", underlyingError ?? self), nil)
        case .underlying(SessionError.urlRequestValidationFailed(.bodyDataInGETRequest), nil):
            .parameterEncoding(wrapped("task", underlyingError ?? self))
        case .underlying(SessionError.createUploadableFailed, nil):
            .parameterEncoding(wrapped("task.uploadFile", underlyingError ?? self))
        case .underlying(SessionError.multipartEncodingFailed, nil):
            .parameterEncoding(wrapped("task.form", underlyingError ?? self))
        default: self
        }
    }

    private static func field(of error: any Error, in parent: String) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return parent }
        return context.codingPath.reduce(parent) { path, key in
            key.intValue.map { "\(path)[\($0)]" } ?? "\(path).\(key.stringValue)"
        }
    }

    private static func parameter(in error: any Error) -> String {
        if error is BodyEncodingError { return "task.bodyEncoding" }
        if error is TaskError { return "task" }
        guard let cause = (error as? SessionError)?.underlyingError,
            case JSONEncoding.Error.invalidJSONObject(let place, _) = cause, !place.isEmpty
        else { return "task.parameters" }
        return "task.parameters.\(place)"
    }
}
