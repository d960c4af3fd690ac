internal import FoundationNetworking

/// One attempt of a request, as the loop is asked for it.
struct ExchangeOrder: Sendable {
    let request: URLRequest
    let body: RequestBody
    /// With nothing left open.
    let timeouts: Timeouts
    let owner: Request
    /// Which attempt of its request this is; told with the outcome.
    let attempt: Int
}
