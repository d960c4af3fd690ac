internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import LinchpinTrust

extension Hop {
    /// What a result other than success means.
    func error(_ code: CURLcode) -> SessionError {
        if let failure { return failure }
        let words = easy.errorText.isEmpty ? String(cString: curl_easy_strerror(code)) : easy.errorText
        if let refusal = judges?.refusal { return .serverTrustEvaluationFailed(reason: refusal) }
        if code == CURLE_PEER_FAILED_VERIFICATION {
            return .serverTrustEvaluationFailed(
                reason: TrustError(.hostMismatch, reason: "libcurl refused the server of \(url.identity): \(words)")
            )
        }
        if code == CURLE_OPERATION_TIMEDOUT, let connect = exchange.timeouts.connect {
            return .sessionTaskFailed(
                error: TransportError.timeout(.connect, connect, "no connection within \(connect) s")
            )
        }
        let kind = proxyFailure(code) ?? kind(of: code)
        return .sessionTaskFailed(error: TransportError(code: kind, curlCode: Int(code.rawValue), message: words))
    }

    /// What kind of failure the proxy made of the transfer; nil where it made none.
    private func proxyFailure(_ code: CURLcode) -> TransportError.Code? {
        switch code {
        case CURLE_PROXY:
            let reason = easy.long(CURLINFO_PROXY_ERROR)
            let wantsOthers = [CURLPX_USER_REJECTED, CURLPX_NO_AUTH].contains { Int($0.rawValue) == reason }
            return wantsOthers ? .proxyAuthenticationRequired : .proxyRefused
        case CURLE_RECV_ERROR where !hasBegun:
            let status = easy.long(CURLINFO_HTTP_CONNECTCODE)
            // tinyproxy means 407 by 401.
            if status == 407 || status == 401 { return .proxyAuthenticationRequired }
            return status >= 300 ? .proxyRefused : nil
        default: return nil
        }
    }

    private func kind(of code: CURLcode) -> TransportError.Code {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnect
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER: .secureConnectionFailed
        case CURLE_BAD_CONTENT_ENCODING: .undecodableBody
        // A line that is too long for libcurl is, in its words, too much for the memory.
        case CURLE_OUT_OF_MEMORY where hasBegun && !isHeadComplete: .responseTooLarge
        case CURLE_RECV_ERROR where easy.errorText.hasPrefix("Too large response headers"): .responseTooLarge
        // Over HTTP/2 it is a callback of nghttp2's that fails where the head is too large for libcurl.
        case CURLE_RECV_ERROR where easy.errorText.contains(" -902:") && hasBegun && !isHeadComplete: .responseTooLarge
        case CURLE_RECV_ERROR where easy.errorText.hasSuffix("in chunked-encoding"): .badServerResponse
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM:
            .connectionLost
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_UNSUPPORTED_PROTOCOL: .badServerResponse
        default: .other
        }
    }
}
