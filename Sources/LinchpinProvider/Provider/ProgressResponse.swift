public import Foundation

/// How far a request has come.
public struct ProgressResponse: Sendable {
    /// Counted bytes and their total; nil at the end.
    public let progressObject: Progress?
    /// The response; nil until the request has ended, and when it ended without one.
    public let response: Response?

    /// Makes a progress.
    public init(progress: Progress? = nil, response: Response? = nil) {
        progressObject = progress
        self.response = response
    }

    /// From 0 to 1: 1 with the response, 0 while the total is unknown.
    public var progress: Double {
        if completed { return 1 }
        guard let progressObject, progressObject.totalUnitCount > 0 else { return 0 }
        return min(max(progressObject.fractionCompleted, 0), 1)
    }

    /// Whether the request has ended with a response.
    public var completed: Bool { response != nil }
}
