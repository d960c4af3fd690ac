import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust

/// A world with a directory in which policy files can name its roots.
struct PolicyWorld {
    static let seven = "sha256/\(Data(repeating: 7, count: 32).base64EncodedString())"
    static let eight = "sha256/\(Data(repeating: 8, count: 32).base64EncodedString())"

    let world: World
    let directory: TemporaryDirectory

    init() throws {
        world = try World()
        directory = try TemporaryDirectory()
        try directory.write(world.root.certificate.pem, to: "root.pem")
        try directory.write(world.root.certificate.der, to: "root.der")
        try directory.write(world.foreignRoot.certificate.pem, to: "foreign.pem")
        try directory.write("no certificate", to: "empty.pem")
    }

    /// The table of a file.
    func manager(_ text: String, givenRoots: TrustRoots? = nil) throws -> ServerTrustManager {
        let path = try directory.write(text, to: "policy.json")
        return try ServerTrustManager(contentsOfPolicyFile: path, givenRoots: givenRoots)
    }

    /// The table of a file with one entry, for the world's host.
    func manager(entry: String, givenRoots: TrustRoots? = nil) throws -> ServerTrustManager {
        try manager(Self.file(entry: entry), givenRoots: givenRoots)
    }

    static func file(entry: String) -> String {
        #"{"version": 1, "hosts": {"\#(World.host)": \#(entry)}}"#
    }

    /// Why a chain is refused at ``noon``, as in a handshake; nil when it is accepted.
    func refusal(
        by manager: ServerTrustManager,
        of chain: [Certificate]? = nil,
        host: String = World.host,
        port: Int = 443,
        at date: Date = noon
    ) throws -> TrustError.Code? {
        let identity = try ReferenceIdentity(host: host)
        do throws(TrustError) {
            let policy = try manager.policy(for: identity, port: port)
            let judge = HandshakeJudge(identity: identity, policy: policy) { date }
            _ = try judge.evaluate(presentedChain: chain ?? world.server.chain)
            return nil
        } catch {
            return error.code
        }
    }
}
