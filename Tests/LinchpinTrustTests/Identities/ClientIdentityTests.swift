import COpenSSL
import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// Client identities are read from what tools write, and shown to no server that was refused.
@Suite struct ClientIdentityTests {
    private let root: LocalCertificateAuthority
    private let intermediate: LocalCertificateAuthority
    private let client: ServerIdentity
    private let directory: TemporaryDirectory

    init() throws {
        root = try LocalCertificateAuthority(name: "Root")
        intermediate = try root.intermediate()
        client = try intermediate.issue([], commonName: "client", profile: .client)
        directory = try TemporaryDirectory()
    }

    private func code(_ body: () throws -> ClientIdentity) -> TrustError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? TrustError)?.code
        }
    }

    // MARK: PEM

    @Test func `certificates and key are read from one text or two`() throws {
        let two = try ClientIdentity(pem: client.chainPEM, privateKeyPEM: client.privateKeyPEM)
        let one = try ClientIdentity(pem: client.privateKeyPEM + client.chainPEM)
        #expect(one == two)
        #expect(one.tag == two.tag)
        #expect(one.chain == client.chain)
        #expect(one.certificate == client.certificate)
    }

    @Test func `the chain is put in order, without a root`() throws {
        let certificates = [client.certificate, root.certificate, intermediate.certificate].map(\.pem).joined()
        let identity = try ClientIdentity(pem: certificates, privateKeyPEM: client.privateKeyPEM)
        #expect(identity.chain == [client.certificate, intermediate.certificate])
    }

    @Test func `an encrypted key wants its password`() throws {
        let encrypted = try client.privateKey.encryptedPEM(password: "right")
        func code(_ password: String?) -> TrustError.Code? {
            self.code { try ClientIdentity(pem: client.chainPEM, privateKeyPEM: encrypted, password: password) }
        }
        #expect(code("right") == nil)
        #expect(code("wrong") == .wrongPassword)
        #expect(code("") == .wrongPassword)
        #expect(code(nil) == .wrongPassword)
        // A password that is not needed does no harm.
        #expect(self.code { try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM, password: "any") } == nil)
    }

    @Test func `keys of older forms are read`() async throws {
        let plain = try directory.write(client.privateKeyPEM, to: "key.pem")
        let old = directory.path(of: "old.pem")
        try await ChildProcess.run("openssl", ["ec", "-in", plain, "-out", old])
        let encrypted = directory.path(of: "encrypted.pem")
        try await ChildProcess.run(
            "openssl",
            ["ec", "-in", plain, "-aes128", "-passout", "pass:right", "-out", encrypted]
        )
        let chain = try directory.write(client.chainPEM, to: "chain.pem")
        #expect(try String(contentsOfFile: old, encoding: .utf8).contains("BEGIN EC PRIVATE KEY"))
        #expect(try String(contentsOfFile: encrypted, encoding: .utf8).contains("Proc-Type: 4,ENCRYPTED"))
        #expect(code { try ClientIdentity(contentsOfPEMFile: chain, keyFile: old) } == nil)
        for (password, expected) in [("right", nil), ("wrong", .wrongPassword), (nil, .wrongPassword)]
            as [(String?, TrustError.Code?)]
        {
            let outcome = code { try ClientIdentity(contentsOfPEMFile: chain, keyFile: encrypted, password: password) }
            #expect(outcome == expected)
        }
    }

    @Test(
        arguments: [
            (["-v1", "PBE-SHA1-3DES"], nil, .wrongPassword), (["-scrypt"], nil, .wrongPassword),
            (["-v1", "PBE-MD5-DES"], .malformedIdentity, .malformedIdentity),
            (["-v1", "PBE-SHA1-RC2-40"], .malformedIdentity, .malformedIdentity),
            (["-v2", "des"], .malformedIdentity, .malformedIdentity),
        ] as [([String], TrustError.Code?, TrustError.Code)]
    )
    func `a key that is encrypted by what OpenSSL left behind is not blamed on the password`(
        _ algorithm: [String],
        _ right: TrustError.Code?,
        _ wrong: TrustError.Code
    ) async throws {
        let plain = try directory.write(client.privateKeyPEM, to: "key.pem")
        let path = directory.path(of: "encrypted.pem")
        let words = ["pkcs8", "-topk8", "-provider", "legacy", "-provider", "default", "-in", plain] + algorithm
        try await ChildProcess.run("openssl", words + ["-passout", "pass:right", "-out", path])
        let key = try String(contentsOfFile: path, encoding: .utf8)
        for (password, expected) in [("right", right), ("wrong", wrong)] {
            #expect(
                code { try ClientIdentity(pem: client.chainPEM, privateKeyPEM: key, password: password) } == expected
            )
        }
    }

    /// Some of many wrong passwords leave a text of an older key's form that ends as a right one does.
    @Test func `a wrong password of an older form is told as one, whatever it leaves`() async throws {
        let plain = try directory.write(client.privateKeyPEM, to: "key.pem")
        let path = directory.path(of: "old.pem")
        let words = ["ec", "-in", plain, "-aes128", "-passout", "pass:right", "-out", path]
        try await ChildProcess.run("openssl", words)
        let key = try String(contentsOfFile: path, encoding: .utf8)
        var codes: Set<TrustError.Code?> = []
        for number in 0..<500 {
            codes.insert(code { try ClientIdentity(pem: client.chainPEM, privateKeyPEM: key, password: "\(number)") })
        }
        #expect(codes == [.wrongPassword])
        #expect(code { try ClientIdentity(pem: client.chainPEM, privateKeyPEM: key, password: "right") } == nil)
    }

    @Test func `what is missing or does not belong together is told`() throws {
        let other = try intermediate.issue([], commonName: "other", profile: .client)
        let pairs: [(String, String?, TrustError.Code?)] = [
            (client.chainPEM, client.privateKeyPEM, nil),
            (client.chainPEM, other.privateKeyPEM, .privateKeyMismatch),
            (client.chainPEM, nil, .noPrivateKeyFound),
            (client.privateKeyPEM, nil, .malformedCertificate),
            (client.chainPEM, "", .noPrivateKeyFound),
            (client.chainPEM, client.privateKeyPEM + other.privateKeyPEM, .malformedIdentity),
            (client.chainPEM, String(client.privateKeyPEM.dropLast(40)), .malformedIdentity),
            (
                client.chainPEM, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                .malformedIdentity
            ),
            (
                client.chainPEM, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
                .malformedIdentity
            ),
        ]
        for (index, (certificates, key, expected)) in pairs.enumerated() {
            let outcome = code { try ClientIdentity(pem: certificates, privateKeyPEM: key, password: "x") }
            #expect(outcome == expected, "\(index)")
        }
        let error = #expect(throws: TrustError.self) {
            try ClientIdentity(contentsOfPEMFile: directory.path(of: "none"))
        }
        #expect(error?.code == .unreadableFile)
    }

    @Test func `a key that OpenSSL would not use in TLS is told before there is a handshake`() throws {
        let weak = try root.issue([], commonName: "weak", keyType: .rsa(bits: 1024), profile: .client)
        #expect(code { try ClientIdentity(pem: weak.chainPEM + weak.privateKeyPEM) } == .malformedIdentity)
    }

    @Test func `nothing that is printed has the key`() throws {
        let encrypted = try client.privateKey.encryptedPEM(password: "secret")
        let identity = try ClientIdentity(pem: client.chainPEM, privateKeyPEM: encrypted, password: "secret")
        var dumped = ""
        dump(identity, to: &dumped)
        let error = #expect(throws: TrustError.self) {
            try ClientIdentity(pem: client.chainPEM, privateKeyPEM: encrypted, password: "hush")
        }
        let lines = client.privateKeyPEM.split(separator: "\n").filter { !$0.hasPrefix("-") }
        for text in ["\(identity)", dumped, "\(String(describing: error))"] {
            for word in lines.map(String.init) + ["secret", "hush", "KeyHandle"] { #expect(!text.contains(word)) }
        }
    }

    // MARK: PKCS #12

    /// What `openssl pkcs12 -export` makes of it.
    private func pkcs12(_ password: String, _ more: [String] = [], key: ServerIdentity? = nil) async throws -> Data {
        let name = UUID().uuidString
        let key = try directory.write((key ?? client).privateKeyPEM, to: "\(name).key")
        let leaf = try directory.write(client.certificate.pem, to: "\(name).pem")
        let others = try directory.write(intermediate.certificate.pem + root.certificate.pem, to: "\(name)-ca.pem")
        let path = directory.path(of: "\(name).p12")
        try await ChildProcess.run(
            "openssl",
            ["pkcs12", "-export", "-in", leaf, "-certfile", others, "-out", path, "-passout", "pass:\(password)"]
                + (more.contains("-nokeys") ? more : ["-inkey", key] + more)
        )
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test(arguments: ["right", "", "pässwörd"])
    func `PKCS 12 is opened by its password alone`(password: String) async throws {
        let data = try await pkcs12(password)
        let identity = try ClientIdentity(pkcs12: data, password: password)
        #expect(identity.chain == client.chain)
        #expect(try identity == ClientIdentity(pem: client.chainPEM + client.privateKeyPEM))
        #expect(code { try ClientIdentity(pkcs12: data, password: "wrong") } == .wrongPassword)
        let path = try directory.write(data, to: "identity.p12")
        #expect(try ClientIdentity(contentsOfPKCS12File: path, password: password) == identity)
        let error = #expect(throws: TrustError.self) {
            try ClientIdentity(contentsOfPKCS12File: path, password: "wrong")
        }
        #expect(error?.reason.hasPrefix("\(path): ") == true)
    }

    @Test func `PKCS 12 that is cut short, or that has something missing, is told`() async throws {
        let data = try await pkcs12("right")
        for length in [0, 1, 20, data.count / 2, data.count - 1] {
            #expect(code { try ClientIdentity(pkcs12: data.prefix(length), password: "right") } == .malformedIdentity)
        }
        #expect(code { try ClientIdentity(pkcs12: data + [0], password: "right") } == .malformedIdentity)
        let noKey = try await pkcs12("right", ["-nokeys"])
        #expect(code { try ClientIdentity(pkcs12: noKey, password: "right") } == .noPrivateKeyFound)
        let keyPath = try directory.write(client.privateKeyPEM, to: "alone.key")
        let path = directory.path(of: "alone.p12")
        try await ChildProcess.run(
            "openssl",
            ["pkcs12", "-export", "-nocerts", "-inkey", keyPath, "-out", path, "-passout", "pass:right"]
        )
        #expect(code { try ClientIdentity(contentsOfPKCS12File: path, password: "right") } == .noCertificatesFound)
    }

    // MARK: Hosts

    @Test func `the most specific pattern says which identity a host is shown`() throws {
        let other = try intermediate.issue([], commonName: "other", profile: .client)
        let one = try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM)
        let two = try ClientIdentity(pem: other.chainPEM + other.privateKeyPEM)
        #expect(one.tag != two.tag)
        let table = try ClientIdentities(["**.example.com": one, "api.example.com:8443": two])
        func identity(_ host: String, _ port: Int) throws -> ClientIdentity? {
            table.identity(for: try ReferenceIdentity(host: host), port: port)
        }
        #expect(try identity("api.example.com", 443) == one)
        #expect(try identity("API.example.com.", 8443) == two)
        #expect(try identity("example.org", 443) == nil)
        let error = #expect(throws: TrustError.self) { try ClientIdentities(["*": one]) }
        #expect(error?.code == .malformedHostPattern)
    }

    @Test func `connections of different identities or settings are not shared`() throws {
        let other = try intermediate.issue([], commonName: "other", profile: .client)
        let identities = try [nil, client, other].map { server in
            try server.map { try ClientIdentity(pem: $0.chainPEM + $0.privateKeyPEM) }
        }
        let settings = try [nil, TLSSettings(), TLSSettings(minimumVersion: .v1_3)]
        let policy = TrustPolicy.system()
        let tags = identities.flatMap { identity in
            settings.map { policy.with(clientIdentity: identity, tlsSettings: $0).tag }
        }
        #expect(Set(tags).count == 9)
        #expect(tags.first == policy.tag)
        // Renewed with the same key is another identity.
        let renewed = try intermediate.issue([], commonName: "client", key: client.privateKey, profile: .client)
        #expect(try ClientIdentity(pem: renewed.chainPEM + renewed.privateKeyPEM).tag != identities[1]?.tag)
    }

    // MARK: Handshakes

    private func handshake(
        _ version: Int32,
        evaluator: any ServerTrustEvaluating,
        identity: ClientIdentity?,
        asks: Bool = true
    ) throws -> MemoryHandshake {
        let server = try root.issue([.dns(World.host)])
        let policy = TrustPolicy(evaluator: evaluator, pattern: nil, isExplicit: true, generation: 1, tag: "1/x")
            .with(clientIdentity: identity, tlsSettings: nil)
        let judge = HandshakeJudge(identity: try ReferenceIdentity(host: World.host), policy: policy) { Date() }
        let handshake = try MemoryHandshake(
            judges: ConnectionJudges(server: judge, proxy: nil),
            server: .init(identity: server, version: version, requestsCertificate: asks)
        )
        handshake.run()
        return handshake
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a server that was accepted is shown the certificate if it asks`(version: Int32) throws {
        let identity = try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM)
        let accepting = DefaultTrustEvaluator(roots: .certificates([root.certificate]))
        let asked = try handshake(version, evaluator: accepting, identity: identity)
        #expect(asked.isComplete, "\(asked.errors)")
        #expect(asked.certificatesSeenByServer == client.chain)
        let unasked = try handshake(version, evaluator: accepting, identity: identity, asks: false)
        #expect(unasked.isComplete)
        #expect(unasked.certificatesSeenByServer.isEmpty)
        let without = try handshake(version, evaluator: accepting, identity: nil)
        #expect(without.isComplete)
        #expect(without.certificatesSeenByServer.isEmpty)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a server that was refused is shown nothing`(version: Int32) throws {
        let identity = try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM)
        let refusing: [any ServerTrustEvaluating] = [
            try PublicKeyPinsTrustEvaluator.nobody(),
            // Refused at the end of the flight in TLS 1.2, which is as late as it gets.
            RevocationTrustEvaluator(
                options: [.ocsp, .networkAccessDisabled, .requirePositiveResponse],
                roots: .certificates([root.certificate])
            ),
        ]
        for evaluator in refusing {
            let refused = try handshake(version, evaluator: evaluator, identity: identity)
            #expect(!refused.isComplete)
            #expect(refused.certificatesSeenByServer.isEmpty)
            #expect(refused.helloSize > 100)
            // What the client sent is its hello and an alert: no certificate of any length fits beside them.
            #expect(refused.bytesSentByClient < refused.helloSize + 64)
        }
    }
}
