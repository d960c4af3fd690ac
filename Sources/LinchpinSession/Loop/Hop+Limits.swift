internal import CLibcurl
internal import CLinchpin
internal import Glibc

extension Hop {
    /// Whether a line of a head or trailer may still be taken; where not, the failure says why.
    func isWithinLimits(headLineOf count: Int) -> Bool {
        headBytes += count
        return headBytes <= pool.configuration.responseLimits.headerBytes
            || isAllowed(pool.configuration.responseLimits.violation(headerBytes: headBytes))
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

extension Hop {
    /// Whether the head says one length at the most (RFC 9112 §6.3); where not, the failure says why.
    ///
    /// libcurl takes the last of several, and of a list the first; whoever sees another one would take the rest of the
    /// body for a response.
    func hasOneLength() -> Bool {
        var header: UnsafeMutablePointer<curl_header>?
        guard curl_easy_header(easy.pointer, "Content-Length", 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK
        else { return true }
        if let header, header.pointee.amount == 1, Self.isNumber(header.pointee.value) { return true }
        var lengths: Set<Substring> = []
        var index = 0
        while curl_easy_header(easy.pointer, "Content-Length", index, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK,
            let value = header?.pointee.value
        {
            for length in String(cString: value).split(separator: ",", omittingEmptySubsequences: false) {
                lengths.insert(length.drop { $0 == " " })
            }
            index += 1
        }
        let isNumber = lengths.allSatisfy { length in
            !length.isEmpty && length.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard lengths.count > 1 || !isNumber else { return true }
        fail(.badServerResponse, "the response says several lengths of its body, or one that is no number")
        return false
    }

    private static func isNumber(_ text: UnsafePointer<CChar>) -> Bool {
        let count = strlen(text)
        return count > 0 && strspn(text, "0123456789") == count
    }
}
