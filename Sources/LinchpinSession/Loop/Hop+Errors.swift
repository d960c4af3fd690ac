internal import CLibcurl
internal import Foundation
internal import LinchpinTrust

extension Hop {
    /// What a result other than success means.
    func error(_ code: CURLcode) -> SessionError {
        if let failure { return failure }
        let words = easy.errorText.isEmpty ? String(cString: curl_easy_strerror(code)) : easy.errorText
        if let refusal = judges.refusal { return .serverTrustEvaluationFailed(reason: refusal) }
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
        return .sessionTaskFailed(
            error: TransportError(code: Self.kind(of: code), curlCode: Int(code.rawValue), message: words)
        )
    }

    private static func kind(of code: CURLcode) -> TransportError.Code {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .cannotFindHost
        case CURLE_COULDNT_CONNECT: .cannotConnect
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER: .secureConnectionFailed
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE: .connectionLost
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_UNSUPPORTED_PROTOCOL:
            .badServerResponse
        default: .other
        }
    }
}
