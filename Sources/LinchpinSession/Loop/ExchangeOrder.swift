internal import FoundationNetworking

/// One attempt of a request, as the loop is asked for it.
struct ExchangeOrder: Sendable {
    let request: URLRequest
    let body: RequestBody
    /// With nothing left open.
    let timeouts: Timeouts
    /// What answers the server's challenges.
    let credential: HTTPCredential?
    let owner: Request
    /// Which attempt of its request this is; told with the outcome.
    let attempt: Int
    /// The fields by which the cache asks about what it has of the request's URL; they mean nothing elsewhere.
    var conditions: [String] = []
}
