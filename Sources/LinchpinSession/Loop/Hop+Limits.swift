internal import CLibcurl
internal import CLinchpin

extension Hop {
    /// Whether a line of a head or trailer may still be taken; where not, the failure says why.
    func isWithinLimits(headLineOf count: Int) -> Bool {
        headBytes += count
        return isAllowed(pool.configuration.responseLimits.violation(headerBytes: headBytes))
    }

    /// Whether bytes of the body may still be taken; where not, the failure says why.
    func isWithinLimits(receiving count: Int) -> Bool {
        isAllowed(
            pool.configuration.responseLimits.violation(
                decoded: receivedBytes + Int64(count),
                transferred: easy.size(CURLINFO_SIZE_DOWNLOAD_T) ?? 0
            )
        )
    }

    private func isAllowed(_ violation: TransportError?) -> Bool {
        if let violation { failure = .sessionTaskFailed(error: violation) }
        return violation == nil
    }
}
