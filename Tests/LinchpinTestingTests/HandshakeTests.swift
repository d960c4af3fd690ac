import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct HandshakeTests {
    typealias Configuration = LocalTLSServer.Configuration

    static let versions: [(Configuration.TLSVersion, String, String)] = [
        (.v1_2, "-tls1_2", "TLSv1.2"), (.v1_3, "-tls1_3", "TLSv1.3"),
    ]

    @Test(arguments: versions)
    func `a handshake is written down`(version: Configuration.TLSVersion, flag: String, name: String) throws {
        let world = try TestWorld()
        let server = try world.server(Configuration(minimumTLSVersion: version, maximumTLSVersion: version))
        let client = try ClientTool.client(
            port: server.port,
            flag,
            "-CAfile",
            world.roots,
            "-servername",
            "LocalHost",
            "-alpn",
            "h2,http/1.1",
            "-verify_return_error",
            "-verify_hostname",
            "localhost"
        )
        #expect(client.status == 0, "\(client.errors)")
        #expect(client.text.contains("hello"))
        let handshake = try #require(server.log.handshakes.first)
        #expect(server.log.handshakes.count == 1)
        #expect(handshake.number == 1)
        #expect(handshake.completed)
        #expect(handshake.failure == nil)
        #expect(handshake.alertReceived == nil)
        #expect(!handshake.isResumed)
        #expect(handshake.version == name)
        #expect(handshake.serverName == "LocalHost")
        #expect(handshake.applicationProtocol == "http/1.1")
        #expect(handshake.clientCertificate == nil)
        #expect(server.log.requests.first?.serverName == "LocalHost")
    }

    @Test func `no server name and no protocol are none in the log`() throws {
        let world = try TestWorld()
        let server = try world.server()
        #expect(try ClientTool.client(port: server.port, "-noservername", "-alpn", "h2").status == 0)
        #expect(server.log.handshakes.map(\.serverName) == [nil])
        #expect(server.log.handshakes.map(\.applicationProtocol) == [nil])
    }

    @Test func `versions that are not offered fail on both sides`() throws {
        let world = try TestWorld()
        let server = try world.server(Configuration(minimumTLSVersion: .v1_3))
        #expect(try ClientTool.client(port: server.port, "-tls1_3").status == 0)
        #expect(try ClientTool.client(port: server.port, "-tls1_2").status != 0)
        #expect(server.waitUntil { $0.handshakeCount == 2 })
        #expect(server.log.handshakes.map(\.completed) == [true, false])
        #expect(server.log.handshakes.last?.failure != nil)
    }

    @Test func `an old version is spoken when it is asked for`() throws {
        let world = try TestWorld()
        let server = try world.server(Configuration(minimumTLSVersion: .v1_0, maximumTLSVersion: .v1_1))
        let client = try ClientTool.client(port: server.port, "-tls1_1", "-cipher", "DEFAULT:@SECLEVEL=0")
        #expect(client.status == 0, "\(client.errors)")
        #expect(server.log.handshakes.map(\.version) == ["TLSv1.1"])
    }

    static let resumptions: [(Configuration.Resumption, String, Bool)] = [
        (.tickets, "-tls1_2", true), (.tickets, "-tls1_3", true),
        (.sessionIDs, "-tls1_2", true), (.sessionIDs, "-tls1_3", true),
        (.none, "-tls1_2", false), (.none, "-tls1_3", false),
    ]

    @Test(arguments: resumptions)
    func `a session is resumed in the way that was chosen`(
        resumption: Configuration.Resumption,
        version: String,
        isResumed: Bool
    ) throws {
        let world = try TestWorld()
        let server = try world.server(Configuration(resumption: resumption))
        let session = world.path("session")
        func name(_ name: String) -> [String] { ["-servername", name, version] }
        #expect(try ClientTool.client(port: server.port, name("first.test") + ["-sess_out", session]).status == 0)
        if isResumed || version == "-tls1_2" {
            let shown = try ClientTool.run("openssl", ["sess_id", "-in", session, "-noout", "-text"])
            let hasTicket = shown.text.contains("TLS session ticket:")
            #expect(hasTicket == (resumption == .tickets || version == "-tls1_3"), "\(shown.text)")
        }
        guard FileManager.default.fileExists(atPath: session) else {
            #expect(!isResumed)
            return
        }
        let again = try ClientTool.client(port: server.port, name("second.test") + ["-sess_in", session])
        #expect(again.status == 0)
        #expect(again.text.contains("Reused, ") == isResumed)
        #expect(server.log.handshakes.map(\.isResumed) == [false, isResumed])
        #expect(server.log.handshakes.map(\.completed) == [true, true])
        #expect(server.log.handshakes.map(\.serverName) == ["first.test", "second.test"])
    }

    @Test func `a session can be resumed after the identity was replaced`() throws {
        let world = try TestWorld()
        let server = try world.server()
        let session = world.path("session")
        #expect(try ClientTool.client(port: server.port, "-sess_out", session).status == 0)
        let stranger = try LocalCertificateAuthority().issue()
        try server.replaceIdentity(stranger)
        #expect(try ClientTool.client(port: server.port, "-sess_in", session).status == 0)
        let full = try ClientTool.client(port: server.port, "-showcerts")
        #expect(try Certificate.certificates(pem: full.text) == stranger.chain)
        #expect(server.log.handshakes.map(\.isResumed) == [false, true, false])
    }

    @Test(arguments: versions)
    func `a client that does not trust sends its alert and no byte`(
        version: Configuration.TLSVersion,
        flag: String,
        name: String
    ) throws {
        let world = try TestWorld()
        let other = try LocalCertificateAuthority(name: "Other")
        let otherRoots = try other.writeCertificate(to: world.directory.path, name: "other")
        let server = try world.server(Configuration(minimumTLSVersion: version, maximumTLSVersion: version))
        #expect(try ClientTool.curl(server.url, roots: otherRoots).status == 60)
        #expect(server.waitUntil { $0.handshakeCount == 1 && $0.openConnections == 0 })
        let handshake = try #require(server.log.handshakes.first)
        #expect(!handshake.completed)
        #expect(handshake.alertReceived == "unknown CA")
        #expect(handshake.serverName == "localhost")
        #expect(server.log.bytesReceived == 0)
        #expect(server.log.rawBytes.isEmpty)
        #expect(server.log.requests.isEmpty)
        #expect(try ClientTool.curl(server.url, roots: world.roots).status == 0)
        #expect(server.log.handshakes.map(\.completed) == [false, true])
        #expect(server.log.bytesReceived > 0)
    }

    @Test(arguments: [
        (Validity.expired, "certificate expired"), (.notYetValid, "bad certificate"),
    ]) func `the alert tells what the client found`(validity: Validity, alert: String) throws {
        let world = try TestWorld()
        let server = try LocalTLSServer(identity: world.authority.issue(validity: validity))
        #expect(try ClientTool.curl(server.url, roots: world.roots).status == 60)
        #expect(server.waitUntil { $0.handshakeCount == 1 })
        #expect(server.log.handshakes.first?.alertReceived == alert)
        try server.replaceIdentity(world.authority.issue())
        #expect(try ClientTool.curl(server.url, roots: world.roots).status == 0)
    }

    @Test func `a wrong host is refused, the right one is not`() throws {
        let world = try TestWorld()
        let server = try LocalTLSServer(identity: world.authority.issue(["right.test"]))
        func ask(_ host: String) throws -> Int32 {
            let resolve = "\(host):\(server.port):127.0.0.1"
            return try ClientTool.curl(server.url(host: host), roots: world.roots, "--resolve", resolve).status
        }
        #expect(try ask("wrong.test") == 60)
        #expect(try ask("right.test") == 0)
        #expect(server.log.requests.count == 1)
    }

    @Test func `chains are presented as they are given`() throws {
        let root = try LocalCertificateAuthority()
        let intermediate = try root.intermediate()
        let leaf = try intermediate.issue()
        let stranger = try LocalCertificateAuthority(name: "Stranger").certificate
        let chains = [
            leaf.chain,
            [leaf.certificate],
            [leaf.certificate, stranger, intermediate.certificate],
            [leaf.certificate, root.certificate, intermediate.certificate],
            [leaf.certificate, leaf.certificate],
        ]
        let server = try LocalTLSServer(identity: leaf)
        for chain in chains {
            try server.replaceIdentity(leaf.presenting(chain))
            let client = try ClientTool.client(port: server.port, "-showcerts")
            #expect(try Certificate.certificates(pem: client.text) == chain)
        }
    }

    @Test func `a chain that does not begin with the key's certificate is an error`() throws {
        let identity = try LocalCertificateAuthority().issue()
        let stranger = try LocalCertificateAuthority().certificate
        for chain in [[], [stranger, identity.certificate]] {
            let error = #expect(throws: TestingError.self) { try LocalTLSServer(identity: identity.presenting(chain)) }
            #expect(error?.code == .identityUnusable)
        }
        let server = try LocalTLSServer(identity: identity)
        #expect(throws: TestingError.self) { try server.replaceIdentity(identity.presenting([])) }
        #expect(try ClientTool.client(port: server.port).status == 0)
    }

    @Test(arguments: [KeyType.p256, .p384, .p521, .rsa2048, .rsaPSS(bits: 2048), .ed25519, .rsa(bits: 1024)])
    func `every kind of key serves`(type: KeyType) throws {
        let world = try TestWorld()
        let identity = try world.authority.issue(keyType: type)
        let server = try LocalTLSServer(identity: identity)
        let trusting = type == .rsa(bits: 1024) ? ["-cipher", "DEFAULT:@SECLEVEL=0"] : ["-verify_return_error"]
        let client = try ClientTool.run(
            "openssl",
            ["s_client", "-connect", "127.0.0.1:\(server.port)", "-ign_eof", "-CAfile", world.roots] + trusting,
            input: "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"
        )
        #expect(client.status == 0, "\(client.errors)")
        #expect(server.log.handshakes.map(\.completed) == [true])
    }

    @Test func `a client certificate is written down`() throws {
        let world = try TestWorld()
        let client = try world.authority.issue([], commonName: "client", profile: .client)
        let files = try client.write(to: world.directory.path, name: "client")
        let server = try world.server(
            Configuration(clientAuthentication: .require(roots: [world.authority.certificate]))
        )
        let known = try ClientTool.curl(
            server.url,
            roots: world.roots,
            "--cert",
            files.certificates,
            "--key",
            files.privateKey
        )
        #expect(known.text == "hello", "\(known.errors)")
        #expect(server.log.handshakes.map(\.clientCertificate) == [client.certificate])
    }

    @Test(arguments: versions)
    func `a client without a wanted certificate gets no answer`(
        version: Configuration.TLSVersion,
        flag: String,
        name: String
    ) throws {
        let world = try TestWorld()
        let roots = [world.authority.certificate]
        var configuration = Configuration(minimumTLSVersion: version, maximumTLSVersion: version)
        configuration.clientAuthentication = .require(roots: roots)
        let strict = try world.server(configuration)
        let refused = try ClientTool.curl(strict.url, roots: world.roots)
        #expect(refused.status != 0)
        #expect(refused.errors.contains("alert"), "the client has to get the alert: \(refused.errors)")
        #expect(strict.waitUntil { $0.handshakeCount == 1 && $0.openConnections == 0 })
        #expect(strict.log.handshakes.map(\.completed) == [false])
        #expect(strict.log.requests.isEmpty)

        configuration.clientAuthentication = .request(roots: roots)
        let mild = try world.server(configuration)
        #expect(try ClientTool.curl(mild.url, roots: world.roots).text == "hello")
        #expect(mild.log.handshakes.map(\.clientCertificate) == [nil])
    }

    @Test func `a client certificate of another authority is refused`() throws {
        let world = try TestWorld()
        let stranger = try LocalCertificateAuthority().issue([], commonName: "client", profile: .client)
        let files = try stranger.write(to: world.directory.path, name: "client")
        let server = try world.server(
            Configuration(clientAuthentication: .request(roots: [world.authority.certificate]))
        )
        let refused = try ClientTool.curl(
            server.url,
            roots: world.roots,
            "--cert",
            files.certificates,
            "--key",
            files.privateKey
        )
        #expect(refused.status != 0)
        #expect(server.waitUntil { $0.handshakeCount == 1 })
        #expect(server.log.handshakes.map(\.completed) == [false])
    }
}
