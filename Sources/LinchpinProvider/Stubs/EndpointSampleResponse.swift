public import Foundation
public import FoundationNetworking

/// What a stub answers.
public enum EndpointSampleResponse: Sendable {
    /// A status code and a body.
    case networkResponse(Int, Data)
    /// A response and a body.
    case response(HTTPURLResponse, Data)
    /// A failure, as if the transfer had failed.
    case networkError(NSError)
}
