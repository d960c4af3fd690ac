internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// Builds and verifies a chain for a TLS server (RFC 5280 §6), by OpenSSL.
struct PathValidator {
    let leaf: Certificate
    /// What may stand between the leaf and an anchor; nothing in it is trusted.
    let pool: [Certificate]
    let date: Date

    /// What of the dates counts.
    enum Validity {
        case checked
        /// Signatures and constraints only: for evaluators that were told not to validate.
        case unchecked
    }

    /// Security level 2 of SSL_CTX_set_security_level(3): at least 112 bits, no SHA-1.
    private static let securityLevel: Int32 = 2
    /// More intermediates than any real chain has.
    private static let mostIntermediates: Int32 = 10

    /// The chain from the leaf to an anchor, the anchor included.
    ///
    /// A chain up to a root is looked for first. Only where anchors are not roots may it end before one: at the first
    /// anchor, whatever is above that.
    func validatedChain(
        store: TrustStore,
        validity: Validity = .checked
    ) throws(TrustError) -> [Certificate] {
        do {
            return try validate(store, pool, validity, flags: 0)
        } catch {
            guard store.hasPartialAnchors else { throw error }
        }
        // Above a leaf that is an anchor itself OpenSSL would go on to what the server sent.
        let pool = store.isAnchor(leaf) ? [] : pool
        return try validate(store, pool, validity, flags: UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    private func validate(
        _ store: TrustStore,
        _ pool: [Certificate],
        _ validity: Validity,
        flags: UInt
    ) throws(TrustError) -> [Certificate] {
        OpenSSLError.clear()
        guard let context = X509_STORE_CTX_new(), let untrusted = X509Stack(pool) else {
            throw TrustError(.evaluationUnavailable, reason: OpenSSLError.drainText())
        }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store.pointer, leaf.handle.pointer, untrusted.pointer) == 1,
            X509_STORE_CTX_set_default(context, "ssl_server") == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { throw TrustError(.evaluationUnavailable, reason: OpenSSLError.drainText()) }
        X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel)
        X509_VERIFY_PARAM_set_depth(parameters, Self.mostIntermediates)
        switch validity {
        case .checked: X509_VERIFY_PARAM_set_time(parameters, time_t(date.timeIntervalSince1970.rounded(.down)))
        case .unchecked: X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
        }
        guard X509_VERIFY_PARAM_set_flags(parameters, flags) == 1 else {
            throw TrustError(.evaluationUnavailable, reason: OpenSSLError.drainText())
        }
        guard X509_verify_cert(context) == 1 else { throw refusal(context) }
        let chain = X509Stack.certificates(borrowing: X509_STORE_CTX_get0_chain(context))
        guard chain.first == leaf else {
            throw TrustError(.evaluationUnavailable, reason: "OpenSSL returned no chain for the server's certificate")
        }
        return chain
    }

    private func refusal(_ context: OpaquePointer) -> TrustError {
        let error = X509_STORE_CTX_get_error(context)
        let words = X509_verify_cert_error_string(Int(error)).map { String(cString: $0) } ?? "unknown error"
        let culprit = X509_STORE_CTX_get_current_cert(context)
            .flatMap { Certificate(handle: X509Handle(sharing: $0)) }
        let place = culprit.map { ", certificate \(X509_STORE_CTX_get_error_depth(context)): \($0.subject)" } ?? ""
        let now = "it is now \(date.rfc3339)"
        switch error {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return TrustError(
                .expired,
                reason: "\(words)\(place), valid until \(culprit?.notAfter.rfc3339 ?? "?"); \(now)"
            )
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return TrustError(
                .notYetValid,
                reason: "\(words)\(place), valid from \(culprit?.notBefore.rfc3339 ?? "?"); \(now)"
            )
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
            return TrustError(.noAnchor, reason: "\(words)\(place); no chain leads to a trusted root")
        default:
            return TrustError(.chainInvalid, reason: "\(words)\(place)")
        }
    }
}
