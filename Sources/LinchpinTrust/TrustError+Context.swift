extension TrustError {
    /// The same mistake, with the place where it was found before the reason.
    package func at(_ place: String) -> TrustError {
        TrustError(code, reason: "\(place): \(reason)", cause: cause)
    }

    /// The same error, with the host and the pattern of the table that it is about.
    func about(host: String, pattern: String?) -> TrustError {
        var error = self
        error.host = host
        error.pattern = pattern
        return error
    }

    /// The same error, with what the server sent and what could be built from it.
    func with(presentedChain: [Certificate]) -> TrustError {
        var error = self
        error.presentedChain = presentedChain
        return error
    }

    /// The same error, with the chain that was verified.
    func with(validatedChain: [Certificate], expectedPins: [String]) -> TrustError {
        var error = self
        error.validatedChain = validatedChain
        error.expectedPins = expectedPins
        return error
    }

    /// The same error, with what has to be fetched.
    func with(revocationDemands: [RevocationDemand]) -> TrustError {
        var error = self
        error.revocationDemands = revocationDemands
        return error
    }

    /// A refusal out of any error: itself if it is one, else with the other as its cause.
    package static func wrapping(_ error: any Error, _ reason: String) -> TrustError {
        error as? TrustError ?? TrustError(.customEvaluationFailed, reason: reason, cause: error)
    }
}
