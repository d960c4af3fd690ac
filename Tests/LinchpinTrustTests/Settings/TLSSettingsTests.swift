import COpenSSL
import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// Settings of TLS are checked when they are made, and kept in handshakes.
@Suite struct TLSSettingsTests {
    private let root: LocalCertificateAuthority
    private let server: ServerIdentity

    init() throws {
        root = try LocalCertificateAuthority(name: "Root")
        server = try root.issue([.dns(World.host)])
    }

    private func handshake(
        _ settings: TLSSettings?,
        version: Int32 = TLS1_3_VERSION,
        configure: @escaping (OpaquePointer) -> Void = { _ in }
    ) throws -> MemoryHandshake {
        let evaluator = DefaultTrustEvaluator(roots: .certificates([root.certificate]))
        let policy = TrustPolicy(evaluator: evaluator, pattern: nil, isExplicit: true, generation: 1, tag: "1/x")
            .with(clientIdentity: nil, tlsSettings: settings)
        let judge = HandshakeJudge(identity: try ReferenceIdentity(host: World.host), policy: policy) { Date() }
        let handshake = try MemoryHandshake(
            judges: ConnectionJudges(server: judge, proxy: nil),
            server: .init(identity: server, version: version, configure: configure)
        )
        handshake.run()
        return handshake
    }

    /// The cipher of a connection.
    private func cipher(_ handshake: MemoryHandshake) -> String? {
        SSL_get_current_cipher(handshake.client).flatMap(SSL_CIPHER_get_name).map { String(cString: $0) }
    }

    // MARK: Handshakes

    @Test func `only the versions that are said are spoken`() throws {
        for (settings, version, isSpoken) in [
            (try TLSSettings(), TLS1_2_VERSION, true), (try TLSSettings(), TLS1_3_VERSION, true),
            (try TLSSettings(minimumVersion: .v1_3), TLS1_2_VERSION, false),
            (try TLSSettings(minimumVersion: .v1_3), TLS1_3_VERSION, true),
            (try TLSSettings(maximumVersion: .v1_2), TLS1_3_VERSION, false),
            (try TLSSettings(maximumVersion: .v1_2), TLS1_2_VERSION, true),
        ] {
            #expect(try handshake(settings, version: version).isComplete == isSpoken)
        }
    }

    @Test func `only the ciphers that are named are spoken`() throws {
        let old = try TLSSettings(ciphers: ["ECDHE-ECDSA-AES256-GCM-SHA384"])
        #expect(try cipher(handshake(old, version: TLS1_2_VERSION)) == "ECDHE-ECDSA-AES256-GCM-SHA384")
        let new = try TLSSettings(cipherSuites: ["TLS_CHACHA20_POLY1305_SHA256"])
        #expect(try cipher(handshake(new)) == "TLS_CHACHA20_POLY1305_SHA256")
        // A server's certificate with another kind of key.
        let other = try TLSSettings(ciphers: ["ECDHE-RSA-AES256-GCM-SHA384"])
        #expect(try !handshake(other, version: TLS1_2_VERSION).isComplete)
    }

    @Test func `only the groups that are named are used`() throws {
        func only(_ group: String) -> (OpaquePointer) -> Void {
            { context in
                var text = Array(group.utf8CString)
                SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, &text)
            }
        }
        let settings = try TLSSettings(groups: ["P-384"])
        #expect(try handshake(settings, configure: only("P-384")).isComplete)
        #expect(try !handshake(settings, configure: only("X25519")).isComplete)
        #expect(try handshake(nil, configure: only("X25519")).isComplete)
    }

    @Test func `a security level refuses what is weaker`() throws {
        #expect(try handshake(TLSSettings(securityLevel: 3)).isComplete)
        // P-256 has 128 bits, level 4 wants 192.
        #expect(try !handshake(TLSSettings(securityLevel: 4)).isComplete)
    }

    /// Chains of which one key has 112 bits, which level 2 is content with.
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a security level holds for the whole chain`(version: Int32) throws {
        let root = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        let weakRoot = try LocalCertificateAuthority(name: "Weak Root", keyType: .rsa2048, validity: .atNoon)
        let middle = try root.intermediate(name: "Middle", keyType: .rsa2048, validity: .atNoon)
        func issue(_ authority: LocalCertificateAuthority, _ key: KeyType = .p256) throws -> ServerIdentity {
            try authority.issue([.dns(World.host)], keyType: key, validity: .atNoon)
        }
        let chains = [
            (try issue(root), true), (try issue(root, .rsa2048), false), (try issue(middle), false),
            (try issue(weakRoot), false),
        ]
        let roots = TrustRoots.certificates([root.certificate, weakRoot.certificate])
        for (server, isStrong) in chains {
            let evaluators: [any ServerTrustEvaluating] = [
                DefaultTrustEvaluator(roots: roots), DisabledTrustEvaluator(),
            ]
            for (evaluator, level) in [(evaluators[0], 2), (evaluators[0], 3), (evaluators[1], 3)] {
                let policy = TrustPolicy(
                    evaluator: evaluator,
                    pattern: nil,
                    isExplicit: true,
                    generation: 1,
                    tag: "1/x"
                )
                .with(clientIdentity: nil, tlsSettings: try TLSSettings(securityLevel: level))
                let judge = HandshakeJudge(identity: try ReferenceIdentity(host: World.host), policy: policy) { noon }
                let handshake = try MemoryHandshake(
                    judges: ConnectionJudges(server: judge, proxy: nil),
                    server: .init(identity: server, version: version)
                )
                handshake.run()
                // Without a chain only the server's own key is looked at.
                let isOwnStrong = server.certificate.publicKey.der.count < 200
                let isAccepted = level == 2 || isStrong || (evaluator is DisabledTrustEvaluator && isOwnStrong)
                #expect(handshake.isComplete == isAccepted, "\(server.certificate.issuer), \(level)")
                #expect(judge.refusal?.code == (isAccepted ? nil : .chainInvalid))
            }
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `without tickets no session is kept`(version: Int32) throws {
        for usesTickets in [true, false] {
            let handshake = try handshake(TLSSettings(usesSessionTickets: usesTickets), version: version)
            handshake.exchange()
            #expect(handshake.isComplete)
            let mode = SSL_CTX_ctrl(handshake.clientContext, SSL_CTRL_GET_SESS_CACHE_MODE, 0, nil)
            #expect((mode == Int(SSL_SESS_CACHE_OFF)) == !usesTickets)
            if version == TLS1_2_VERSION {
                #expect((SSL_SESSION_has_ticket(SSL_get_session(handshake.client)) == 1) == usesTickets)
            }
        }
    }

    @Test func `secrets are written only where that is asked for`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path(of: "keys.log")
        #expect(try handshake(TLSSettings()).isComplete)
        #expect(!FileManager.default.fileExists(atPath: path))
        let settings = try TLSSettings(keyLogFile: path)
        #expect(try handshake(settings).isComplete)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") })
        #expect(lines.allSatisfy { $0.split(separator: " ").count == 3 })
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try handshake(settings, version: TLS1_2_VERSION).isComplete)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("CLIENT_RANDOM "))
        let error = #expect(throws: TrustError.self) { try TLSSettings(keyLogFile: "\(path)/none") }
        #expect(error?.code == .unreadableFile)
    }

    // MARK: Mistakes

    @Test func `a mistake is told with the item`() throws {
        let cases: [(word: String, make: () throws -> TLSSettings)] = [
            ("minimum version", { try TLSSettings(minimumVersion: .v1_3, maximumVersion: .v1_2) }),
            ("\"NO-SUCH\"", { try TLSSettings(ciphers: ["ECDHE-RSA-AES128-GCM-SHA256", "NO-SUCH"]) }),
            ("\"ALL\"", { try TLSSettings(ciphers: ["ALL"]) }),
            ("\"ECDHE+aECDSA+CHACHA20\"", { try TLSSettings(ciphers: ["ECDHE+aECDSA+CHACHA20"]) }),
            ("\"HIGH\"", { try TLSSettings(ciphers: ["HIGH"]) }),
            ("\"!MD5\"", { try TLSSettings(ciphers: ["ECDHE-RSA-AES128-GCM-SHA256", "!MD5"]) }),
            ("\"@SECLEVEL=0\"", { try TLSSettings(ciphers: ["@SECLEVEL=0"]) }),
            ("\"\"", { try TLSSettings(ciphers: [""]) }),
            ("\"A:B\"", { try TLSSettings(ciphers: ["A:B"]) }),
            ("ADH-AES128-SHA256", { try TLSSettings(ciphers: ["ADH-AES128-SHA256"]) }),
            ("PSK-AES128-CBC-SHA", { try TLSSettings(ciphers: ["PSK-AES128-CBC-SHA"]) }),
            ("ECDHE-RSA-NULL-SHA", { try TLSSettings(ciphers: ["ECDHE-RSA-NULL-SHA"]) }),
            ("TLS_AES_128_GCM_SHA256", { try TLSSettings(ciphers: ["TLS_AES_128_GCM_SHA256"]) }),
            ("empty", { try TLSSettings(ciphers: []) }),
            ("\"TLS_NO_SUCH\"", { try TLSSettings(cipherSuites: ["TLS_AES_128_GCM_SHA256", "TLS_NO_SUCH"]) }),
            ("empty", { try TLSSettings(cipherSuites: []) }),
            ("\"P-257\"", { try TLSSettings(groups: ["X25519", "P-257"]) }),
            ("\"X25519:P-256\"", { try TLSSettings(groups: ["X25519:P-256"]) }),
            ("empty", { try TLSSettings(groups: []) }),
            ("security level 0", { try TLSSettings(securityLevel: 0) }),
            ("security level 6", { try TLSSettings(securityLevel: 6) }),
            ("TLS 1.2", { try TLSSettings(minimumVersion: .v1_3, ciphers: ["ECDHE-RSA-AES128-GCM-SHA256"]) }),
            ("TLS 1.3", { try TLSSettings(maximumVersion: .v1_2, cipherSuites: ["TLS_AES_128_GCM_SHA256"]) }),
        ]
        for (word, make) in cases {
            let error = #expect(throws: TrustError.self, "\(word)") { try make() }
            #expect(error?.code == .malformedTLSSettings, "\(word)")
            #expect(error?.reason.contains(word) == true, "\(word): \(error?.reason ?? "")")
        }
        _ = try TLSSettings(
            ciphers: ["ECDHE-RSA-AES128-GCM-SHA256"],
            cipherSuites: ["TLS_AES_128_GCM_SHA256"],
            groups: ["X25519", "P-256"],
            securityLevel: 2
        )
    }

    @Test func `equal settings have one tag and others have another`() throws {
        let all = try [
            TLSSettings(), TLSSettings(minimumVersion: .v1_3), TLSSettings(maximumVersion: .v1_2),
            TLSSettings(ciphers: ["ECDHE-RSA-AES128-GCM-SHA256"]),
            TLSSettings(ciphers: ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384"]),
            TLSSettings(cipherSuites: ["TLS_AES_128_GCM_SHA256"]), TLSSettings(groups: ["X25519"]),
            TLSSettings(securityLevel: 3), TLSSettings(usesSessionTickets: false),
            TLSSettings(applicationProtocols: .http1), TLSSettings(applicationProtocols: .http2),
            TLSSettings(applicationProtocols: .notOffered),
        ]
        #expect(Set(all.map(\.tag)).count == all.count)
        #expect(Set(all).count == all.count)
        #expect(try TLSSettings() == TLSSettings(minimumVersion: .v1_2))
    }
}
