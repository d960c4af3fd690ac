internal import CLibcurl
internal import CLinchpin

/// How much of a response came.
struct ResponseSize {
    /// Of heads and trailers, in bytes.
    var head = 0
    /// Of the body, decoded, in bytes.
    var body = 0
}

extension Hop {
    /// Whether a line of a head or trailer may still be taken; where not, the failure says why.
    func isWithinLimits(headLineOf count: Int) -> Bool {
        responseSize.head += count
        failure = failure ?? pool.configuration.responseLimits.violation(headerBytes: responseSize.head)
        return failure == nil
    }

    /// Whether bytes of the body may still be taken; where not, the failure says why.
    func isWithinLimits(receiving count: Int) -> Bool {
        responseSize.body += count
        failure =
            failure
            ?? pool.configuration.responseLimits.violation(
                decoded: responseSize.body,
                transferred: easy.size(CURLINFO_SIZE_DOWNLOAD_T)
            )
        return failure == nil
    }
}
