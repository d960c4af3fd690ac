internal import FoundationNetworking

/// One attempt of a request, as the loop is asked for it; handed from thread to thread by its reference.
final class ExchangeOrder: Sendable {
    let request: URLRequest
    let body: RequestBody
    private let filledTimeouts: FilledTimeouts
    /// What answers the server's challenges.
    let credential: HTTPCredential?
    let owner: Request
    /// Which attempt of its request this is; told with the outcome.
    let attempt: Int
    /// The fields by which the cache asks about what it has of the request's URL; they mean nothing elsewhere.
    let conditions: [String]

    init(
        request: URLRequest,
        body: RequestBody,
        timeouts: FilledTimeouts,
        credential: HTTPCredential?,
        owner: Request,
        attempt: Int,
        conditions: [String] = []
    ) {
        self.request = request
        self.body = body
        filledTimeouts = timeouts
        self.credential = credential
        self.owner = owner
        self.attempt = attempt
        self.conditions = conditions
    }

    /// With nothing left open.
    var timeouts: Timeouts { filledTimeouts.values }

    /// The same attempt with another request.
    func with(_ request: URLRequest, conditions: [String]) -> ExchangeOrder {
        ExchangeOrder(
            request: request,
            body: body,
            timeouts: filledTimeouts,
            credential: credential,
            owner: owner,
            attempt: attempt,
            conditions: conditions
        )
    }
}
