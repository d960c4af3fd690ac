import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// What a policy file says beside pins: certificates, keys, revocation, transparency, identities.
@Suite struct PolicyKindTests {
    private let policy: PolicyWorld

    init() throws {
        policy = try PolicyWorld()
        let world = policy.world
        try policy.directory.write(world.server.certificate.pem, to: "leaf.pem")
        let key = world.server.certificate.publicKey.der.base64EncodedString(options: .lineLength64Characters)
        try policy.directory.write("-----BEGIN PUBLIC KEY-----\n\(key)\n-----END PUBLIC KEY-----\n", to: "leaf.pub")
    }

    private func refusal(_ entry: String) throws -> TrustError.Code? {
        try policy.refusal(by: policy.manager(entry: entry))
    }

    // MARK: What is pinned

    @Test func `certificates are pinned`() throws {
        #expect(try refusal(#"{"certificates": ["leaf.pem"], "roots": ["root.pem"]}"#) == nil)
        #expect(try refusal(#"{"certificates": ["foreign.pem"], "roots": ["root.pem"]}"#) == .pinMismatch)
        #expect(try refusal(#"{"certificates": ["foreign.pem", "leaf.pem"], "roots": ["root.pem"]}"#) == nil)
        #expect(try refusal(#"{"certificates": ["root.pem"]}"#) == .noAnchor)
        #expect(try refusal(#"{"certificates": ["root.pem"], "acceptSelfSignedCertificates": true}"#) == nil)
        #expect(try refusal(#"{"certificates": ["leaf.pem"], "performDefaultValidation": false}"#) == nil)
    }

    @Test func `public keys are pinned`() throws {
        #expect(try refusal(#"{"publicKeys": ["leaf.pub"], "roots": ["root.pem"]}"#) == nil)
        #expect(try refusal(#"{"publicKeys": ["leaf.pem"], "roots": ["root.pem"]}"#) == nil)
        #expect(try refusal(#"{"publicKeys": ["foreign.pem"], "roots": ["root.pem"]}"#) == .pinMismatch)
        #expect(try refusal(#"{"publicKeys": ["leaf.pub"]}"#) == .noAnchor)
        #expect(try refusal(#"{"publicKeys": ["leaf.pub"], "performDefaultValidation": false}"#) == nil)
    }

    @Test(arguments: ["refuse", "refuseAndReport", "reportOnly"])
    func `a mismatch does what is said`(action: String) async throws {
        let pins = #""pins": ["\#(PolicyWorld.seven)", "\#(PolicyWorld.eight)"]"#
        let text = PolicyWorld.file(entry: #"{\#(pins), "onMismatch": "\#(action)", "roots": ["root.pem"]}"#)
        let path = try policy.directory.write(text, to: "policy.json")
        let reports = AsyncStream<PinFailureReport>.makeStream()
        let handler = PinFailureHandler(queue: .global()) { reports.continuation.yield($0) }
        let manager = try ServerTrustManager(contentsOfPolicyFile: path, pinFailureHandler: handler)
        #expect(try policy.refusal(by: manager) == (action == "reportOnly" ? nil : .pinMismatch))
        if action != "refuse" {
            for await report in reports.stream {
                #expect(report.host == World.host)
                break
            }
        }
        guard action != "refuse" else { return }
        let error = #expect(throws: TrustError.self) { try policy.manager(text) }
        #expect(error?.reason.contains("none was handed over") == true)
    }

    // MARK: Revocation

    /// A policy for a server whose authority keeps books, judged at the present time.
    private func outcome(
        _ entry: String,
        _ server: ServerIdentity,
        _ authority: RevokingAuthority
    ) throws
        -> TrustError.Code?
    {
        let path = try authority.directory.write(PolicyWorld.file(entry: entry), to: "policy.json")
        return try policy.refusal(
            by: ServerTrustManager(contentsOfPolicyFile: path),
            of: server.chain,
            at: Date()
        )
    }

    @Test func `revocation is looked at as is said`() async throws {
        let authority = try RevokingAuthority()
        let (good, revoked) = (try authority.server(), try authority.server())
        for server in [good, revoked] { try await authority.enter(server.certificate) }
        try await authority.revoke(revoked.certificate)
        try authority.directory.write(try await authority.list(), to: "list.pem")
        func outcome(_ revocation: String, _ server: ServerIdentity) throws -> TrustError.Code? {
            try self.outcome(#"{"roots": ["ca.pem"], "revocation": {\#(revocation)}}"#, server, authority)
        }
        let lists = #""lists": ["list.pem"], "requirePositiveResponse": true"#
        #expect(try outcome(lists, good) == nil)
        #expect(try outcome(lists, revoked) == .revoked)
        #expect(try outcome("", good) == .revocationInformationNeeded)
        #expect(try outcome(#""networkAccess": false"#, good) == nil)
        #expect(try outcome(#""networkAccess": false, "requirePositiveResponse": true"#, good) == .revocationUnknown)
        #expect(try outcome(#""methods": ["ocsp"], "networkAccess": false, "lists": ["list.pem"]"#, revoked) == nil)
        // Pins have to match as well.
        let pins = #""pins": ["\#(PolicyWorld.seven)", "\#(PolicyWorld.eight)"]"#
        let both = #"{"roots": ["ca.pem"], \#(pins), "revocation": {\#(lists)}}"#
        #expect(try self.outcome(both, good, authority) == .pinMismatch)
    }

    // MARK: Transparency

    @Test func `logs have to vouch for a certificate where that is said`() throws {
        let log = try LocalTransparencyLog(date: noon)
        let key = log.log.publicKey.der.base64EncodedString()
        try policy.directory.write(
            "enabled_logs = one\n[one]\ndescription = One\nkey = \(key)\n",
            to: "logs.cnf"
        )
        let issuer = policy.world.intermediate
        let logged = try issuer.issue([.dns(World.host)], validity: .atNoon, loggedBy: [log])
        let entry = #"{"roots": ["root.pem"], "transparency": {"logs": "logs.cnf", "minimumLogs": 1}}"#
        let manager = try policy.manager(entry: entry)
        #expect(try policy.refusal(by: manager, of: logged.chain) == nil)
        #expect(try policy.refusal(by: manager) == .insufficientTransparency)
    }

    // MARK: Identities

    @Test func `an identity is the one that was handed over under its name`() throws {
        let client = try policy.world.root.issue([], commonName: "client", profile: .client)
        let identity = try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM)
        let text = #"{"version": 1, "hosts": {"a.example": {"clientIdentity": "app"}, "b.example": {}}}"#
        let path = try policy.directory.write(text, to: "policy.json")
        let manager = try ServerTrustManager(contentsOfPolicyFile: path, clientIdentities: ["app": identity])
        func shown(_ host: String) throws -> ClientIdentity? {
            try manager.policy(for: ReferenceIdentity(host: host), port: 443).clientIdentity
        }
        #expect(try shown("a.example") == identity)
        #expect(try shown("b.example") == nil)
        let error = #expect(throws: TrustError.self) { try policy.manager(text) }
        #expect(error?.code == .malformedPolicy)
        #expect(error?.reason.contains(#"$.hosts["a.example"].clientIdentity: "app" is the name of no"#) == true)
    }

    // MARK: Mistakes

    private static let pins = #""pins": ["\#(PolicyWorld.seven)", "\#(PolicyWorld.eight)"]"#
    private static let faults: [(entry: String, place: String, words: String)] = [
        (#"{\#(pins), "certificates": ["root.pem"]}"#, ".certificates", "the entry has pins already"),
        (#"{"certificates": ["root.pem"], "publicKeys": ["leaf.pub"]}"#, ".publicKeys", "has certificates already"),
        (#"{"certificates": []}"#, ".certificates", "an empty list accepts nothing"),
        (#"{"certificates": "root.pem"}"#, ".certificates", "an array is wanted"),
        (#"{"certificates": ["none.pem"]}"#, ".certificates[0]", "No such file"),
        (#"{"certificates": ["root.pem", "empty.pem"]}"#, ".certificates[1]", "no PEM block"),
        (#"{"publicKeys": ["empty.pem"]}"#, ".publicKeys[0]", "no PEM block"),
        (#"{"acceptSelfSignedCertificates": true}"#, ".acceptSelfSignedCertificates", "pinned certificates"),
        (#"{\#(pins), "acceptSelfSignedCertificates": true}"#, ".acceptSelfSignedCertificates", "pinned certificates"),
        (#"{"certificates": ["root.pem"], "expiration": {}}"#, ".expiration", "about pins"),
        (#"{"onMismatch": "refuse"}"#, ".onMismatch", "about pins"),
        (#"{\#(pins), "onMismatch": "accept"}"#, ".onMismatch", #""accept" is neither"#),
        (#"{\#(pins), "onMismatch": "reportOnly"}"#, ".onMismatch", "none was handed over"),
        (#"{"revocation": true}"#, ".revocation", "an object is wanted"),
        (#"{"revocation": {"method": []}}"#, ".revocation.method", "not known"),
        (#"{"revocation": {"methods": []}}"#, ".revocation.methods", "no method"),
        (#"{"revocation": {"methods": ["ocsp", "crlset"]}}"#, ".revocation.methods[1]", #""crlset" is neither"#),
        (#"{"revocation": {"methods": ["ocsp"], "preferCRL": true}}"#, ".revocation", "add .crl"),
        (#"{"revocation": {"requirePositiveResponse": 1}}"#, ".revocation.requirePositiveResponse", "not a number"),
        (#"{"revocation": {"networkAccess": null}}"#, ".revocation.networkAccess", "not null"),
        (#"{"revocation": {"lists": ["root.pem"]}}"#, ".revocation.lists[0]", "only X509 CRL"),
        (#"{\#(pins), "performDefaultValidation": false, "revocation": {}}"#, ".revocation", "wants a valid chain"),
        (#"{"transparency": {}}"#, ".transparency.logs", "missing"),
        (#"{"transparency": {"logs": "none.cnf"}}"#, ".transparency.logs", "No such file"),
        (#"{"transparency": {"logs": "root.pem"}}"#, ".transparency.logs", "root.pem"),
        (#"{"transparency": {"logs": "one.cnf", "minimumLogs": 2}}"#, ".transparency", "1 logs cannot"),
        (#"{"transparency": {"logs": "one.cnf", "minimumLogs": 1.5}}"#, ".transparency.minimumLogs", "whole number"),
        (#"{"clientIdentity": 1}"#, ".clientIdentity", "a string is wanted"),
        (#"{"disabled": true}"#, ".disabled", "not known"),
    ]

    @Test(arguments: faults.indices)
    func `a mistake is told with its place`(index: Int) throws {
        let (entry, place, words) = Self.faults[index]
        let log = try LocalTransparencyLog()
        let key = log.log.publicKey.der.base64EncodedString()
        try policy.directory.write("enabled_logs = a\n[a]\ndescription = A\nkey = \(key)\n", to: "one.cnf")
        let error = #expect(throws: TrustError.self, "\(entry)") { try policy.manager(entry: entry) }
        #expect(error?.code == .malformedPolicy)
        let reason = error?.reason ?? ""
        #expect(reason.contains(#": $.hosts["api.example.com"]\#(place): "#), "\(reason)")
        #expect(reason.contains(words), "\(reason)")
    }
}
