internal import Linchpin

/// One row of the demo: what should have happened, and what did.
struct DemoRow: Encodable, Sendable {
    /// What should happen to a request.
    enum Expectation: Sendable {
        case accepted
        case acceptedWithoutToken
        case refused(TrustError.Code)
        case timedOut

        var words: String {
            switch self {
            case .accepted: "accepted, got the token"
            case .acceptedWithoutToken: "accepted, got no token"
            case .refused(let code): "refused: \(code.rawValue)"
            case .timedOut: "time-out"
            }
        }
    }

    let name: String
    let expected: String
    let happened: String
    let reason: String
    let httpBytes: Int
    let isAsExpected: Bool

    enum CodingKeys: String, CodingKey {
        case name, expected, happened, reason, httpBytes
        case isAsExpected = "ok"
    }

    init(name: String, expected: Expectation, attempt: DemoAttempt) {
        self.name = name
        self.expected = expected.words
        httpBytes = attempt.httpBytes
        switch attempt.result {
        case .success(let response):
            happened = "accepted, got \(attempt.sawToken ? "the" : "no") token"
            reason = "status \(response.statusCode)"
        case .failure(let error):
            let trust = error.trustError
            happened =
                trust.map { "refused: \($0.code.rawValue)" }
                ?? (error.sessionError?.isTimeout == true ? "time-out" : "failed")
            reason = trust?.reason ?? error.sessionError?.transportError?.message ?? "\(error)"
        }
        isAsExpected = Self.fits(expected, attempt)
    }

    /// A row for a demonstration that could not take place.
    init(name: String, expected: Expectation, error: any Error) {
        self.name = name
        self.expected = expected.words
        httpBytes = 0
        happened = "could not be tried"
        reason = "\(error)"
        isAsExpected = false
    }

    private static func fits(_ expected: Expectation, _ attempt: DemoAttempt) -> Bool {
        switch (expected, attempt.result) {
        case (.accepted, .success(let response)):
            response.statusCode == 200 && attempt.httpBytes > 0 && attempt.sawToken
        case (.acceptedWithoutToken, .success(let response)):
            response.statusCode == 200 && attempt.httpBytes > 0 && !attempt.sawToken
        case (.refused(let code), .failure(let error)):
            error.trustError?.code == code && attempt.httpBytes == 0
        case (.timedOut, .failure(let error)):
            error.sessionError?.isTimeout == true
        default: false
        }
    }
}
