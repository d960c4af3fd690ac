internal import COpenSSL
internal import Foundation

/// The one owner of the signed part of an OCSP response (RFC 6960 §4.2.1).
struct OCSPResponse: ~Copyable {
    private let pointer: OpaquePointer

    /// Reads a response.
    ///
    /// - Throws: ``TrustError`` with code `revocationResponseInvalid` for bytes that are none, and for a responder that
    ///   says why it does not answer.
    init(der: Data) throws(TrustError) {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        var consumed = 0
        let response = der.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            let start = cursor
            let response = d2i_OCSP_RESPONSE(nil, &cursor, bytes.count)
            if let cursor, let start { consumed = cursor - start }
            return response
        }
        guard let response else { throw Self.invalid("the bytes are not an OCSP response") }
        defer { OCSP_RESPONSE_free(response) }
        guard consumed == der.count else { throw Self.invalid("\(der.count - consumed) bytes follow the response") }
        let status = OCSP_response_status(response)
        guard status == OCSP_RESPONSE_STATUS_SUCCESSFUL else {
            let words = OCSP_response_status_str(Int(status)).map { String(cString: $0) } ?? "\(status)"
            throw Self.invalid("the responder gives no answer: \(words)")
        }
        guard let basic = OCSP_response_get1_basic(response) else {
            throw Self.invalid("the response is of a kind that is not known")
        }
        pointer = basic
    }

    deinit { OCSP_BASICRESP_free(pointer) }

    /// What the response says about a certificate, once it is known to be the issuer's word.
    ///
    /// - Parameters:
    ///   - request: the DER of the question, whose nonce has to come back if any does; nil for a stapled response.
    /// - Throws: ``TrustError`` with code `revocationResponseInvalid`.
    func fact(
        about subject: IssuedCertificate,
        request: Data?,
        origin: RevocationFact.Origin,
        at date: Date
    ) throws(TrustError) -> RevocationFact {
        defer { OpenSSLError.clear() }
        let signerEnd = try verifySignature(by: subject.issuer, at: date)
        if let request { try checkNonce(request) }
        let facts = try statements(about: subject).map { statement throws(TrustError) in
            try fact(statement, origin: origin, signerEnd: signerEnd)
        }
        guard !facts.isEmpty else {
            throw Self.invalid("the response is about another certificate than \(subject.certificate.subject)")
        }
        let current = facts.filter { $0.counts(at: date) }
        // Of several statements the worst one counts.
        guard let worst = current.max(by: { $0.status.weight < $1.status.weight }) else {
            let (from, until) = (facts[0].thisUpdate.rfc3339, facts[0].validUntil.rfc3339)
            throw Self.invalid("the response is from \(from) and counts until \(until), and it is now \(date.rfc3339)")
        }
        guard worst.status != .good || SignatureDigest.isStrong(OCSP_resp_get0_tbs_sigalg(pointer)) else {
            throw Self.invalid("the response is signed over a digest that is not accepted")
        }
        return worst
    }

    /// The logs whose timestamps for a certificate are in the response, whoever signed that.
    func logs(vouchingFor subject: IssuedCertificate, among store: TransparencyLogStore, at date: Date) -> Set<Data> {
        statements(about: subject).reduce(into: []) { logs, statement in
            guard let timestamps = SignedTimestamps(inStatement: statement) else { return }
            logs.formUnion(timestamps.logs(vouchingFor: subject, among: store, at: date))
        }
    }

    /// Whether the issuer signed it, or a responder that the issuer named so (RFC 6960 §4.2.2.2).
    ///
    /// - Returns: the end of the signer's certificate.
    private func verifySignature(by issuer: Certificate, at date: Date) throws(TrustError) -> Date {
        OpenSSLError.clear()
        guard let time = time_t(exactly: date.timeIntervalSince1970.rounded(.down)), let store = X509_STORE_new() else {
            throw TrustError(.evaluationUnavailable, reason: "the OCSP response cannot be verified")
        }
        defer { X509_STORE_free(store) }
        guard let known = X509Stack([issuer]), X509_STORE_add_cert(store, issuer.handle.pointer) == 1 else {
            throw TrustError(.evaluationUnavailable, reason: OpenSSLError.drainText())
        }
        let parameters = X509_STORE_get0_param(store)
        X509_VERIFY_PARAM_set_time(parameters, time)
        X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        // Trust comes from the issuer alone, and the chain may end there.
        let flags = UInt(OCSP_NOEXPLICIT | OCSP_PARTIAL_CHAIN)
        var signer: OpaquePointer?
        guard OCSP_basic_verify(pointer, known.pointer, store, flags) == 1,
            OCSP_resp_get0_signer(pointer, &signer, known.pointer) == 1, let signer
        else {
            throw Self.invalid("neither \(issuer.subject) nor a responder of its own signed the response")
        }
        return Certificate.date(of: X509_get0_notAfter(signer)) ?? .distantPast
    }

    /// A responder may leave the nonce out, as those do that sign in advance, but not send another one.
    private func checkNonce(_ request: Data) throws(TrustError) {
        let asked = request.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            return d2i_OCSP_REQUEST(nil, &cursor, bytes.count)
        }
        guard let asked else { throw Self.invalid("the request cannot be read") }
        defer { OCSP_REQUEST_free(asked) }
        // -1: only in the request; 1: equal.
        guard [-1, 1].contains(OCSP_check_nonce(asked, pointer)) else {
            throw Self.invalid("the response answers another request: its nonce is not ours")
        }
    }

    /// The statements that name the certificate, each by a digest of its choice.
    private func statements(about subject: IssuedCertificate) -> [OpaquePointer] {
        (0..<OCSP_resp_count(pointer)).compactMap { index in
            guard let single = OCSP_resp_get0(pointer, index), let named = OCSP_SINGLERESP_get0_id(single) else {
                return nil
            }
            var algorithm: OpaquePointer?
            guard OCSP_id_get0_info(nil, &algorithm, nil, nil, named) == 1,
                let digest = EVP_get_digestbyname(OBJ_nid2sn(OBJ_obj2nid(algorithm))),
                let wanted = OCSP_cert_to_id(
                    digest,
                    subject.certificate.handle.pointer,
                    subject.issuer.handle.pointer
                )
            else { return nil }
            defer { OCSP_CERTID_free(wanted) }
            return OCSP_id_cmp(named, wanted) == 0 ? single : nil
        }
    }

    private func fact(
        _ statement: OpaquePointer,
        origin: RevocationFact.Origin,
        signerEnd: Date
    ) throws(TrustError) -> RevocationFact {
        var reason: Int32 = 0
        var revokedAt: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var from: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var until: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        let status: RevocationFact.Status
        switch OCSP_single_get0_status(statement, &reason, &revokedAt, &from, &until) {
        case V_OCSP_CERTSTATUS_GOOD: status = .good
        case V_OCSP_CERTSTATUS_REVOKED: status = .revoked(Certificate.date(of: revokedAt))
        default: status = .unknown
        }
        guard let thisUpdate = Certificate.date(of: from) else { throw Self.invalid("the response has no date") }
        let nextUpdate = until == nil ? thisUpdate + RevocationFact.lifeWithoutEnd : Certificate.date(of: until)
        guard let nextUpdate, nextUpdate >= thisUpdate else { throw Self.invalid("the response ends before it begins") }
        return RevocationFact(
            status: status,
            origin: origin,
            thisUpdate: thisUpdate,
            validUntil: min(nextUpdate, signerEnd)
        )
    }

    private static func invalid(_ why: String) -> TrustError { TrustError(.revocationResponseInvalid, reason: why) }
}

extension RevocationFact.Status {
    /// The larger, the worse.
    var weight: Int {
        switch self {
        case .good: 0
        case .unknown: 1
        case .revoked: 2
        }
    }
}
