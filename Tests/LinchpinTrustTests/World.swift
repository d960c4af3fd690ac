import Foundation
import LinchpinTesting
import LinchpinTrust

/// The time at which everything here is judged, unless a test says otherwise.
let noon = Date(timeIntervalSince1970: 2_000_000_000)

extension Validity {
    /// From so many days from ``noon`` to so many.
    static func days(_ from: Double, _ to: Double) -> Validity {
        Validity(from: noon.addingTimeInterval(from * 86_400), to: noon.addingTimeInterval(to * 86_400))
    }

    /// Valid at ``noon``.
    static let atNoon = days(-2, 30)
    /// Ended a day before ``noon``.
    static let pastAtNoon = days(-30, -1)
    /// Begins a day after ``noon``.
    static let futureAtNoon = days(1, 31)
}

/// A root, an intermediate below it, and a server for `api.example.com` below that; and a root of strangers.
struct World {
    static let host = "api.example.com"

    let root: LocalCertificateAuthority
    let intermediate: LocalCertificateAuthority
    let server: ServerIdentity
    let foreignRoot: LocalCertificateAuthority

    init() throws {
        root = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        intermediate = try root.intermediate(name: "Intermediate", validity: .atNoon)
        server = try intermediate.issue([.dns(Self.host)], validity: .atNoon)
        foreignRoot = try LocalCertificateAuthority(name: "Foreign Root", validity: .atNoon)
    }

    /// The root as the only one.
    var roots: TrustRoots { .certificates([root.certificate]) }

    /// The leaf, the intermediate and the root.
    var fullChain: [Certificate] { server.chain + [root.certificate] }

    /// Anchors that every test may use where the root is to be trusted.
    func evaluator(validateHost: Bool = true) -> DefaultTrustEvaluator {
        DefaultTrustEvaluator(validateHost: validateHost, roots: roots)
    }
}

/// Why a server is refused at ``noon``, judged as in a handshake; nil when it is accepted.
func refusal(
    by evaluator: any ServerTrustEvaluating,
    of chain: [Certificate],
    host: String = World.host,
    pattern: String? = nil,
    at date: Date = noon
) throws -> TrustError? {
    let policy = TrustPolicy(evaluator: evaluator, pattern: pattern, isExplicit: true, generation: 1, tag: "1/test")
    let judge = HandshakeJudge(identity: try ReferenceIdentity(host: host), policy: policy) { date }
    do {
        _ = try judge.evaluate(presentedChain: chain)
        return nil
    } catch {
        return error
    }
}
