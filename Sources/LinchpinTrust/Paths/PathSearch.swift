internal import COpenSSL
internal import Foundation

/// Looks for another path where OpenSSL's own does not do.
///
/// OpenSSL takes the first issuer that looks right and never goes back. Where authorities are cross-signed, or several
/// certificates have one subject, another path may be good (RFC 4158 §2). The search goes from the leaf upwards, takes
/// only issuers whose signature is right, and ends with its budget: a server can send certificates of which each
/// signed each other.
struct PathSearch {
    /// Signatures that are checked in one search, those of `X509_verify_cert` included. Each takes some 100 µs.
    static let mostSignatures = 64
    /// Certificates of the pool that are looked at; TLS lets a server send thousands.
    static let mostCandidates = 128

    let store: TrustStore
    let pool: [Certificate]
    /// Nil when dates do not count.
    let date: Date?
    /// Judges a path that is complete; nil when it is refused.
    let verified: ([Certificate]) -> [Certificate]?

    private var signaturesLeft = mostSignatures

    init(
        store: TrustStore,
        pool: [Certificate],
        date: Date?,
        verified: @escaping ([Certificate]) -> [Certificate]?
    ) {
        self.store = store
        self.date = date
        self.verified = verified
        var seen: Set<Certificate> = []
        self.pool = Array(pool.filter { seen.insert($0).inserted }.prefix(Self.mostCandidates))
    }

    /// A path that begins with the leaf and is good to its end; nil when none was found within the budget.
    mutating func chain(from leaf: Certificate) -> [Certificate]? { chain(extending: [leaf]) }

    private mutating func chain(extending path: [Certificate]) -> [Certificate]? {
        guard let last = path.last, path.count <= Int(PathVerification.mostIntermediates) + 1 else { return nil }
        for anchor in store.anchors(thatMayHaveIssued: last) where extends(path, with: anchor) {
            signaturesLeft -= path.count
            guard signaturesLeft >= 0 else { return nil }
            if let chain = verified(path + [anchor]) { return chain }
        }
        for issuer in pool where extends(path, with: issuer) {
            if let chain = chain(extending: path + [issuer]) { return chain }
        }
        return nil
    }

    private mutating func extends(_ path: [Certificate], with issuer: Certificate) -> Bool {
        guard signaturesLeft > 0, let last = path.last,
            X509_check_issued(issuer.handle.pointer, last.handle.pointer) == X509_V_OK,
            !path.contains(where: { isSameAuthority($0, issuer) }),
            date.map({ issuer.isValid(at: $0) }) ?? true
        else { return false }
        signaturesLeft -= 1
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        return X509_verify(last.handle.pointer, X509_get0_pubkey(issuer.handle.pointer)) == 1
    }

    /// Whether both have one name and one key: a path through both could go on without what is between them.
    private func isSameAuthority(_ left: Certificate, _ right: Certificate) -> Bool {
        let (left, right) = (left.handle.pointer, right.handle.pointer)
        guard X509_NAME_cmp(X509_get_subject_name(left), X509_get_subject_name(right)) == 0,
            let leftKey = X509_get0_pubkey_bitstr(left), let rightKey = X509_get0_pubkey_bitstr(right)
        else { return false }
        return ASN1_STRING_cmp(leftKey, rightKey) == 0
    }
}

extension Certificate {
    /// Whether `date` lies in the time of validity, both ends included (RFC 5280 §4.1.2.5).
    func isValid(at date: Date) -> Bool {
        notBefore <= date && !notAfter.isOver(at: date)
    }
}
