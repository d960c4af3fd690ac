internal import COpenSSL
internal import Foundation

/// Looks a certificate up in a list of its issuer (RFC 5280 §6.3): OpenSSL checks the list's signature, dates, scope and
/// extensions, and that the issuer may sign lists.
struct RevocationListCheck {
    let list: CertificateRevocationList

    /// What the list says about a certificate. A list that is none of all revoked certificates, or is signed over a weak
    /// digest, can say that one was revoked and not that it was not.
    ///
    /// - Throws: ``TrustError`` with code `revocationResponseInvalid` when it cannot be relied upon.
    func fact(about subject: IssuedCertificate, at date: Date) throws(TrustError) -> RevocationFact {
        defer { OpenSSLError.clear() }
        guard let thisUpdate = list.thisUpdate, let nextUpdate = list.nextUpdate else {
            throw TrustError(.revocationResponseInvalid, reason: "the list does not say until when it counts")
        }
        let status: RevocationFact.Status
        switch try verificationError(subject, date) {
        case X509_V_OK:
            try requireWholeList(subject)
            status = .good
        case X509_V_ERR_CERT_REVOKED: status = .revoked(revocationDate(of: subject.certificate))
        case let error:
            let words = X509_verify_cert_error_string(Int(error)).map { String(cString: $0) } ?? "error \(error)"
            throw TrustError(
                .revocationResponseInvalid,
                reason: "the list of \(subject.issuer.subject), valid from \(thisUpdate.rfc3339) to "
                    + "\(nextUpdate.rfc3339), says nothing about \(subject.certificate.subject): \(words)"
            )
        }
        return RevocationFact(status: status, origin: .list, thisUpdate: thisUpdate, validUntil: nextUpdate)
    }

    private func requireWholeList(_ subject: IssuedCertificate) throws(TrustError) {
        let why: String
        switch (list.isDelta, list.isSignedStrongly) {
        case (true, _): why = "it has only what changed since another list"
        case (_, false): why = "it is signed over a digest that is not accepted"
        case (false, true): return
        }
        throw TrustError(
            .revocationResponseInvalid,
            reason: "the list of \(subject.issuer.subject) does not say that \(subject.certificate.subject) was not "
                + "revoked: \(why)"
        )
    }

    /// Verifies the certificate once more, its issuer being the anchor and the list the only one.
    private func verificationError(_ subject: IssuedCertificate, _ date: Date) throws(TrustError) -> Int32 {
        OpenSSLError.clear()
        guard let context = X509_STORE_CTX_new(), let lists = OPENSSL_sk_new_null() else { throw Self.unavailable() }
        defer {
            X509_STORE_CTX_free(context)
            OPENSSL_sk_free(lists)
        }
        // Both stacks outlive the verification, and the context does not own them.
        guard let anchors = X509Stack([subject.issuer]),
            OPENSSL_sk_push(lists, UnsafeMutableRawPointer(list.handle.pointer)) > 0,
            let time = time_t(exactly: date.timeIntervalSince1970.rounded(.down)),
            X509_STORE_CTX_init(context, nil, subject.certificate.handle.pointer, nil) == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { throw Self.unavailable() }
        X509_STORE_CTX_set0_trusted_stack(context, anchors.pointer)
        X509_STORE_CTX_set0_crls(context, lists)
        X509_VERIFY_PARAM_set_time(parameters, time)
        let flags = UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_PARTIAL_CHAIN)
        guard X509_VERIFY_PARAM_set_flags(parameters, flags) == 1 else { throw Self.unavailable() }
        if X509_verify_cert(context) == 1 { return X509_V_OK }
        let error = X509_STORE_CTX_get_error(context)
        return error == X509_V_OK ? X509_V_ERR_UNSPECIFIED : error
    }

    private func revocationDate(of certificate: Certificate) -> Date? {
        var entry: OpaquePointer?
        guard X509_CRL_get0_by_cert(list.handle.pointer, &entry, certificate.handle.pointer) > 0, let entry else {
            return nil
        }
        return Certificate.date(of: X509_REVOKED_get0_revocationDate(entry))
    }

    private static func unavailable() -> TrustError {
        TrustError(.evaluationUnavailable, reason: "the list cannot be looked at: \(OpenSSLError.drainText())")
    }
}
