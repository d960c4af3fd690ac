public import Foundation
internal import LinchpinSession

/// The body encoding of ``RequestTask/requestCompositeParameters(bodyParameters:bodyEncoding:urlParameters:)`` does not
/// write into the body.
public struct BodyEncodingError: Error, Sendable {
    /// The encoding's type.
    public let encoding: String

    init(encoding: any ParameterEncoding) { self.encoding = "\(type(of: encoding))" }
}

extension BodyEncodingError: CustomStringConvertible, LocalizedError {
    /// What is wrong, and what to use.
    public var description: String {
        "this \(encoding) is not for bodies; use URLEncoding.httpBody, JSONEncoding, or one that leaves the URL alone"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
