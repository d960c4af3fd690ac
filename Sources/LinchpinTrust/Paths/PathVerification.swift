internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// Runs of `X509_verify_cert` for one TLS server at one time.
struct PathVerification {
    let leaf: Certificate
    /// Nil where dates do not count, or are judged elsewhere.
    let date: Date?

    /// Security level 2 of SSL_CTX_set_security_level(3): at least 112 bits, no SHA-1.
    private static let securityLevel: Int32 = 2
    /// More intermediates than any real chain has.
    static let mostIntermediates: Int32 = 10

    /// The chain that OpenSSL builds out of a pool to an anchor of the store.
    func chain(from pool: [Certificate], to store: TrustStore, flags: UInt) throws(TrustError) -> [Certificate] {
        guard let anchors = X509Stack([]) else { throw Self.unavailable() }
        return try verify(pool, store.pointer, anchors, flags)
    }

    /// The same path again, if OpenSSL finds nothing wrong with it; the last certificate is the anchor.
    func chain(along path: [Certificate], flags: UInt) throws(TrustError) -> [Certificate] {
        guard let anchor = path.last, let anchors = X509Stack([anchor]) else { throw Self.unavailable() }
        return try verify(Array(path.dropFirst().dropLast()), nil, anchors, flags | UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    private func verify(
        _ pool: [Certificate],
        _ store: OpaquePointer?,
        _ anchors: borrowing X509Stack,
        _ flags: UInt
    ) throws(TrustError) -> [Certificate] {
        OpenSSLError.clear()
        guard let context = X509_STORE_CTX_new(), let untrusted = X509Stack(pool) else { throw Self.unavailable() }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store, leaf.handle.pointer, untrusted.pointer) == 1 else {
            throw Self.unavailable()
        }
        if store == nil { X509_STORE_CTX_set0_trusted_stack(context, anchors.pointer) }
        try configure(context, flags)
        guard X509_verify_cert(context) == 1 else { throw refusal(context) }
        let chain = X509Stack.certificates(borrowing: X509_STORE_CTX_get0_chain(context), known: [leaf] + pool)
        guard chain.first == leaf else {
            throw TrustError(.evaluationUnavailable, reason: "OpenSSL returned no chain for the server's certificate")
        }
        return chain
    }

    private func configure(_ context: OpaquePointer, _ flags: UInt) throws(TrustError) {
        guard X509_STORE_CTX_set_default(context, "ssl_server") == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { throw Self.unavailable() }
        X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel)
        X509_VERIFY_PARAM_set_depth(parameters, Self.mostIntermediates)
        // Otherwise OpenSSL holds name constraints against a common name that nothing here ever matches.
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
        var flags = flags
        if let date {
            guard let time = time_t(exactly: date.timeIntervalSince1970.rounded(.down)) else {
                throw TrustError(.evaluationUnavailable, reason: "the time to judge by is out of range")
            }
            X509_VERIFY_PARAM_set_time(parameters, time)
        } else {
            flags |= UInt(X509_V_FLAG_NO_CHECK_TIME)
        }
        // Any policy will do (RFC 5280 §6.1.1 (c)); OpenSSL's own default is none. The object is a constant of OpenSSL.
        if flags & UInt(X509_V_FLAG_POLICY_CHECK) != 0,
            X509_VERIFY_PARAM_add0_policy(parameters, OBJ_nid2obj(NID_any_policy)) != 1
        {
            throw Self.unavailable()
        }
        guard X509_VERIFY_PARAM_set_flags(parameters, flags) == 1 else { throw Self.unavailable() }
    }

    private static func unavailable() -> TrustError {
        TrustError(.evaluationUnavailable, reason: OpenSSLError.drainText())
    }
}

extension PathVerification {
    private func refusal(_ context: OpaquePointer) -> TrustError {
        let error = X509_STORE_CTX_get_error(context)
        let words = X509_verify_cert_error_string(Int(error)).map { String(cString: $0) } ?? "unknown error"
        let culprit = X509_STORE_CTX_get_current_cert(context)
            .flatMap { Certificate(handle: X509Handle(sharing: $0)) }
        let place = culprit.map { ", certificate \(X509_STORE_CTX_get_error_depth(context)): \($0.subject)" } ?? ""
        let now = "it is now \(date?.rfc3339 ?? "?")"
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
            let remedy =
                leaf.isSelfSigned
                ? "to accept a self-signed server pin this very certificate, with acceptSelfSignedCertificates: true"
                : "where its root is not among the trusted ones, pass it as roots: .certificates([…])"
            return TrustError(.noAnchor, reason: "\(words)\(place); no chain leads to a trusted root; \(remedy)")
        default:
            return TrustError(.chainInvalid, reason: "\(words)\(place)")
        }
    }
}
