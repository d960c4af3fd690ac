internal import Glibc
internal import Synchronization

/// The certificates at which a chain may end.
///
/// The system's roots are read once per process, when they are first needed.
public struct TrustRoots: Sendable {
    private let source: Source

    private enum Source: Sendable {
        case system
        case store(TrustStore)
        case unusable(TrustError)
    }

    /// The system's bundle of roots, and nothing else.
    public static let system = TrustRoots(source: .system)

    /// The given certificates and nothing else. Any certificate may be an anchor: a root, an intermediate, or the
    /// server's own self-signed one.
    ///
    /// An empty list accepts nothing: every evaluation then fails with code `noCertificatesFound`.
    public static func certificates(_ anchors: [Certificate]) -> TrustRoots {
        TrustRoots(source: store(anchors, bundlePath: nil))
    }

    /// The system's bundle and the given certificates.
    public static func systemAndCertificates(_ anchors: [Certificate]) -> TrustRoots {
        do {
            return TrustRoots(source: store(anchors, bundlePath: try systemBundlePath()))
        } catch {
            return TrustRoots(source: .unusable(error))
        }
    }

    /// The store behind it.
    ///
    /// - Throws: ``TrustError`` with code `noAnchor` when the system has no bundle, or `noCertificatesFound`.
    func store() throws(TrustError) -> TrustStore {
        switch source {
        case .system: try Self.systemStore.get()
        case .store(let store): store
        case .unusable(let error): throw error
        }
    }

    /// Finds roots that accept nothing, without reading the system's.
    ///
    /// - Throws: ``TrustError`` as ``store()`` would for any server.
    func validateConfiguration() throws(TrustError) {
        if case .unusable(let error) = source { throw error }
    }

    private static func store(_ anchors: [Certificate], bundlePath: String?) -> Source {
        guard !anchors.isEmpty else {
            return .unusable(TrustError(.noCertificatesFound, reason: "no certificate was given as a trust anchor"))
        }
        do {
            return .store(try TrustStore(anchors: anchors, bundlePath: bundlePath))
        } catch {
            return .unusable(error)
        }
    }

    /// A bundle of public roots that is not where distributions keep theirs.
    static func bundle(at path: String) throws(TrustError) -> TrustRoots {
        TrustRoots(source: .store(try TrustStore(anchors: [], bundlePath: path)))
    }

    private static let systemStore: Result<TrustStore, TrustError> = Result { () throws(TrustError) in
        try TrustStore(anchors: [], bundlePath: systemBundlePath())
    }

    /// Where distributions keep their bundle of roots.
    private static let bundlePaths = [
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    private static func systemBundlePath() throws(TrustError) -> String {
        guard let path = bundlePaths.first(where: { access($0, R_OK) == 0 }) else {
            throw TrustError(
                .noAnchor,
                reason: "the system has no bundle of roots; searched \(bundlePaths.joined(separator: ", ")): "
                    + "install ca-certificates or give the roots"
            )
        }
        return path
    }
}
