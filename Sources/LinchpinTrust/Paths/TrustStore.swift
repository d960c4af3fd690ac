internal import CLinchpin
internal import COpenSSL

/// The one owner of an OpenSSL store of trust anchors.
final class TrustStore {
    let pointer: OpaquePointer
    /// Whether an anchor is something else than a root, so that a chain may end before one.
    let hasPartialAnchors: Bool
    /// Paths to its anchors that were validated already.
    let knownPaths = KnownPaths()
    private let anchors: Set<Certificate>

    /// A store of the given anchors and, when wanted, of the bundle at `bundlePath`.
    init(anchors: [Certificate], bundlePath: String?) throws(TrustError) {
        OpenSSLError.clear()
        guard let store = X509_STORE_new() else {
            throw TrustError(.evaluationUnavailable, reason: OpenSSLError.drainText())
        }
        pointer = store
        hasPartialAnchors = anchors.contains { !$0.isSelfSigned }
        self.anchors = Set(anchors)
        for anchor in anchors where X509_STORE_add_cert(store, anchor.handle.pointer) != 1 {
            throw TrustError(.evaluationUnavailable, reason: "no room for an anchor: \(OpenSSLError.drainText())")
        }
        if let bundlePath, X509_STORE_load_file(store, bundlePath) != 1 {
            throw TrustError(.unreadableFile, reason: "\(bundlePath): \(OpenSSLError.drainText())")
        }
    }

    /// Whether the certificate is one of the anchors that were given.
    func isAnchor(_ certificate: Certificate) -> Bool { anchors.contains(certificate) }

    /// Where the anchor at the end of a chain is from.
    func origin(ofChain chain: [Certificate]) -> AnchorOrigin {
        chain.last.map(isAnchor) == false ? .system : .caller
    }

    /// The anchors of the store whose subject is the certificate's issuer; empty when OpenSSL fails.
    func anchors(thatMayHaveIssued certificate: Certificate) -> [Certificate] {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        guard let context = X509_STORE_CTX_new() else { return [] }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, pointer, nil, nil) == 1,
            let found = X509_STORE_CTX_get1_certs(context, X509_get_issuer_name(certificate.handle.pointer))
        else { return [] }
        return X509Stack(takingOwnership: found).certificates
    }

    deinit { X509_STORE_free(pointer) }
}

// Filled before anybody else sees it and never changed after, but for the known paths, which have a lock; OpenSSL locks
// its own caches.
extension TrustStore: @unchecked Sendable {}
