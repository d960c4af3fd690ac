import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// What is read from a certificate, against what the `openssl` tool reads from it.
@Suite struct CertificateFieldTests {
    private static let keyTypes: [KeyType] = [
        .rsa2048, .rsa(bits: 3072), .rsa(bits: 4096), .p256, .p384, .p521, .ed25519, .rsaPSS(bits: 2048),
    ]

    @Test(arguments: [
        ("Z\u{fc}rich \u{1f511}", "Z\u{fc}rich \u{1f511}"), ("a\u{1b}[2Jb", "a\\1B[2Jb"),
        ("a\u{9b}2Jb", "a\\C2\\9B2Jb"),
        ("a\u{202e}b", "a\\E2\\80\\AEb"), ("a\u{2028}b", "a\\E2\\80\\A8b"),
    ])
    func `a name moves no terminal's cursor and turns no text around`(name: String, shown: String) throws {
        let identity = try LocalCertificateAuthority.selfSigned([], commonName: name, validity: .atNoon)
        #expect(identity.certificate.subject.contains("CN=\(shown)"), "\(identity.certificate.subject)")
    }

    @Test(arguments: keyTypes)
    func `fields and pin are what the openssl tool shows`(type: KeyType) async throws {
        let directory = try TemporaryDirectory()
        let names: [CertificateName] = [
            "localhost", "*.example.com", "127.0.0.1", .ip("2001:db8::1"), .email("a@example.com"), .uri("https://x/"),
        ]
        let identity = try LocalCertificateAuthority.selfSigned(names, keyType: type, validity: .atNoon)
        let certificate = identity.certificate
        let file = try directory.write(certificate.der, to: "certificate.der")
        func shown(_ arguments: String...) async throws -> String {
            try await ChildProcess.run("openssl", ["x509", "-inform", "DER", "-in", file, "-noout"] + arguments)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let form = "RFC2253,-esc_msb,utf8"
        #expect(try await shown("-subject", "-nameopt", form) == "subject=\(certificate.subject)")
        #expect(try await shown("-issuer", "-nameopt", form) == "issuer=\(certificate.issuer)")
        #expect(
            try await shown("-startdate", "-dateopt", "iso_8601") == "notBefore=\(shownForm(certificate.notBefore))"
        )
        #expect(try await shown("-enddate", "-dateopt", "iso_8601") == "notAfter=\(shownForm(certificate.notAfter))")
        let fingerprint = try await shown("-fingerprint", "-sha256").lowercased().replacing(":", with: "")
        #expect(fingerprint == "sha256 fingerprint=\(certificate.fingerprint)")
        let extensions = try await shown("-ext", "subjectAltName").split(separator: "\n").last?
            .trimmingCharacters(in: .whitespaces)
        #expect(
            extensions == "DNS:localhost, DNS:*.example.com, IP Address:127.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1, "
                + "email:a@example.com, URI:https://x/"
        )
        #expect(
            certificate.subjectAlternativeNames == [
                .dns("localhost"), .dns("*.example.com"), .ip("127.0.0.1"), .ip("2001:db8::1"),
                .email("a@example.com"), .uri("https://x/"),
            ]
        )
        #expect(try await toolsPin(of: file) == certificate.publicKeyPin.description)
        #expect(try identity.privateKey.publicKey == certificate.publicKey)
    }

    @Test func `the pin of a key with explicit curve parameters is of its own bytes`() async throws {
        let directory = try TemporaryDirectory()
        let key = directory.path(of: "key.pem")
        let file = directory.path(of: "certificate.der")
        try await ChildProcess.run(
            "openssl",
            ["ecparam", "-name", "prime256v1", "-param_enc", "explicit", "-genkey", "-noout", "-out", key]
        )
        try await ChildProcess.run(
            "openssl",
            ["req", "-x509", "-key", key, "-subj", "/CN=explicit", "-days", "1", "-outform", "DER", "-out", file]
        )
        let certificate = try #require(try Certificate.certificates(contentsOfFile: file).first)
        #expect(certificate.publicKey.der.count > 150, "the parameters are spelled out")
        #expect(certificate.der.range(of: certificate.publicKey.der) != nil)
        #expect(try await toolsPin(of: file) == certificate.publicKeyPin.description)
    }

    @Test func `names beyond ASCII and with special characters are what the openssl tool shows`() async throws {
        let directory = try TemporaryDirectory()
        let key = directory.path(of: "key.pem")
        let file = directory.path(of: "certificate.der")
        try await ChildProcess.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
                "-utf8", "-multivalue-rdn", "-days", "1", "-outform", "DER", "-out", file,
                "-subj", "/C=DE/O=Bücher, \"Söhne\" + Co; <GmbH>/OU=a+UID=b/CN= #x \\/ \u{1F512} ",
            ]
        )
        let certificate = try #require(try Certificate.certificates(contentsOfFile: file).first)
        let words = ["x509", "-inform", "DER", "-in", file, "-noout", "-subject", "-nameopt", "RFC2253,-esc_msb,utf8"]
        let shown = try await ChildProcess.run("openssl", words)
        #expect(shown == "subject=\(certificate.subject)\n")
        #expect(certificate.subject.contains("Bücher"))
        #expect(certificate.isSelfIssued)
    }

    @Test func `dates before 1950 and after 2050 are read`() throws {
        for year in [-1.0e9, 0, 2.6e9, 1.0e11] {
            let start = Date(timeIntervalSince1970: year)
            let validity = Validity(from: start, to: start.addingTimeInterval(1))
            let certificate = try LocalCertificateAuthority.selfSigned(validity: validity).certificate
            #expect(certificate.notBefore == start)
            #expect(certificate.notAfter == start.addingTimeInterval(1))
        }
    }

    @Test func `a name that hides a NUL is shown with it`() throws {
        let names: [CertificateName] = [.rawDNS(Array("localhost\0.evil.example".utf8)), .rawIP([127, 0, 0])]
        let certificate = try LocalCertificateAuthority.selfSigned(names).certificate
        #expect(certificate.subjectAlternativeNames == [.dns("localhost\\x00.evil.example"), .ip("7f0000")])
    }

    @Test func `only a certificate that names itself as its issuer is self-issued`() throws {
        let world = try World()
        #expect(world.root.certificate.isSelfIssued)
        #expect(!world.intermediate.certificate.isSelfIssued)
        #expect(!world.server.certificate.isSelfIssued)
    }

    private func shownForm(_ date: Date) -> String {
        date.rfc3339.replacing("T", with: " ")
    }

    /// `openssl x509 -pubkey | openssl pkey -outform DER | openssl dgst -sha256 -binary | openssl base64`
    private func toolsPin(of file: String) async throws -> String {
        let pipeline = """
            openssl x509 -inform DER -in '\(file)' -noout -pubkey | openssl pkey -pubin -outform DER |
            openssl dgst -sha256 -binary | openssl base64
            """
        let base64 = try await ChildProcess.run("sh", ["-c", pipeline])
        return "sha256/" + base64.trimmingCharacters(in: .newlines)
    }
}
