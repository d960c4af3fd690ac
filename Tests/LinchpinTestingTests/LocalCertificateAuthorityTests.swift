import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct LocalCertificateAuthorityTests {
    static let keyTypes: [KeyType] = [.p256, .p384, .p521, .rsa2048, .rsaPSS(bits: 2048), .ed25519]

    private func judge(
        _ identity: ServerIdentity,
        roots: LocalCertificateAuthority,
        host: String = "localhost"
    ) throws -> [Certificate] {
        let trust = try ServerTrust(presentedChain: identity.chain, host: host, date: Date())
        let chain = try trust.validatedChain(roots: .certificates([roots.certificate]))
        try trust.validateHost()
        return chain
    }

    @Test(arguments: keyTypes) func `a chain of every kind of key verifies`(type: KeyType) throws {
        let root = try LocalCertificateAuthority(keyType: type)
        let intermediate = try root.intermediate(keyType: type)
        let identity = try intermediate.issue(keyType: type)
        let chain = try judge(identity, roots: root)
        #expect(chain == [identity.certificate, intermediate.certificate, root.certificate])
        #expect(identity.chain == [identity.certificate, intermediate.certificate])
    }

    @Test(arguments: keyTypes) func `OpenSSL's strict checks find nothing`(type: KeyType) throws {
        let directory = try TemporaryDirectory()
        let root = try LocalCertificateAuthority(keyType: type)
        let intermediate = try root.intermediate(keyType: type)
        try root.writeCertificate(to: directory.path, name: "root")
        try intermediate.writeCertificate(to: directory.path, name: "intermediate")
        let files = try intermediate.issue(keyType: type).write(to: directory.path, name: "leaf")
        let result = try ClientTool.run(
            "openssl",
            [
                "verify", "-x509_strict", "-check_ss_sig", "-purpose", "sslserver", "-auth_level", "2",
                "-CAfile", directory.path + "/root.pem", "-untrusted", directory.path + "/intermediate.pem",
                "-verify_hostname", "localhost", files.certificates,
            ]
        )
        #expect(result.status == 0, "\(result.text)\(result.errors)")
    }

    @Test func `a leaf of another authority has no anchor`() throws {
        let root = try LocalCertificateAuthority()
        let other = try LocalCertificateAuthority()
        #expect(throws: Never.self) { try judge(root.issue(), roots: root) }
        #expect(throws: TrustError(.noAnchor, reason: "")) { try judge(other.issue(), roots: root) }
    }

    @Test(arguments: [
        (Validity.expired, TrustError.Code.expired), (.notYetValid, .notYetValid),
    ]) func `a leaf out of its time is refused`(validity: Validity, code: TrustError.Code) throws {
        let root = try LocalCertificateAuthority()
        let key = try PrivateKey()
        #expect(throws: Never.self) { try judge(root.issue(key: key), roots: root) }
        let error = #expect(throws: TrustError.self) {
            try judge(root.issue(validity: validity, key: key), roots: root)
        }
        #expect(error?.code == code)
    }

    @Test func `the dates are those that were asked for`() throws {
        let validity = Validity(
            from: Date(timeIntervalSince1970: 1_000_000_000),
            to: Date(timeIntervalSince1970: 4_000_000_000)
        )
        let certificate = try LocalCertificateAuthority().issue(validity: validity).certificate
        #expect(certificate.notBefore == validity.notBefore)
        #expect(certificate.notAfter == validity.notAfter)
        #expect(validity.contains(Date(timeIntervalSince1970: 2_000_000_000)))
        #expect(!validity.contains(Date(timeIntervalSince1970: 999_999_999)))
        #expect(validity.contains(Date(timeIntervalSince1970: 4_000_000_000.5)))
        #expect(!validity.contains(Date(timeIntervalSince1970: 4_000_000_001)))
        #expect(Validity.lasting(60).contains(Date()))
    }

    @Test(
        arguments: [
            ([.dns("localhost")], "localhost", true),
            ([.dns("localhost")], "example.test", false),
            ([.ip("127.0.0.1")], "127.0.0.1", true),
            ([.ip("127.0.0.1")], "127.0.0.2", false),
            ([.ip("::1")], "::1", true),
            ([.dns("127.0.0.1")], "127.0.0.1", false),
            ([.dns("*.linchpin.test")], "a.linchpin.test", true),
            ([.dns("*.linchpin.test")], "a.b.linchpin.test", false),
            ([.rawDNS(Array("localhost\0.evil.test".utf8))], "localhost", false),
            ([.rawDNS(Array("localhost".utf8))], "localhost", true),
            ([.rawIP([127, 0, 0, 1])], "127.0.0.1", true),
            ([.rawIP([127, 0, 0])], "127.0.0.1", false),
            ([.email("a@localhost"), .uri("https://localhost/")], "localhost", false),
            (["localhost", "::1"], "::1", true),
            ([], "localhost", false),
        ] as [([CertificateName], String, Bool)]
    )
    func `names are put in as they are given`(names: [CertificateName], host: String, passes: Bool) throws {
        let root = try LocalCertificateAuthority()
        let identity = try root.issue(names, commonName: "localhost")
        if passes {
            #expect(throws: Never.self) { try judge(identity, roots: root, host: host) }
        } else {
            let error = #expect(throws: TrustError.self) { try judge(identity, roots: root, host: host) }
            #expect(error?.code == .hostMismatch)
        }
    }

    @Test func `a NUL stands in the certificate`() throws {
        let identity = try LocalCertificateAuthority().issue([.rawDNS(Array("a\0b".utf8))])
        #expect(identity.certificate.subjectAlternativeNames == [.dns("a\\x00b")])
    }

    @Test(arguments: [
        CertificateName.dns(""), .dns("bücher.test"), .ip("localhost"), .ip("[::1]"), .uri("a\nb"),
    ]) func `a name that cannot stand in a certificate is an error`(name: CertificateName) throws {
        let root = try LocalCertificateAuthority()
        let error = #expect(throws: TestingError.self) { try root.issue([name]) }
        #expect(error?.code == .malformedName)
    }

    @Test func `a common name that is too long is an error`() throws {
        let root = try LocalCertificateAuthority()
        #expect(throws: Never.self) { try root.issue(commonName: String(repeating: "a", count: 64)) }
        let error = #expect(throws: TestingError.self) {
            try root.issue(commonName: String(repeating: "a", count: 65))
        }
        #expect(error?.code == .malformedName)
    }

    @Test func `a certificate for clients serves no server`() throws {
        let root = try LocalCertificateAuthority()
        #expect(throws: Never.self) { try judge(root.issue(profile: .serverAndClient), roots: root) }
        let error = #expect(throws: TrustError.self) { try judge(root.issue(profile: .client), roots: root) }
        #expect(error?.code == .chainInvalid)
    }

    @Test func `a leaf cannot issue`() throws {
        let root = try LocalCertificateAuthority()
        let leaf = try root.issue()
        let pretender = try LocalCertificateAuthority(
            certificate: leaf.certificate,
            privateKey: leaf.privateKey,
            presenting: leaf.chain
        )
        let forged = try pretender.issue()
        #expect(forged.chain == [forged.certificate, leaf.certificate])
        let error = #expect(throws: TrustError.self) { try judge(forged, roots: root) }
        #expect(error?.code == .chainInvalid)
    }

    @Test func `constraints of authorities are in their certificates`() throws {
        let root = try LocalCertificateAuthority()
        var narrow = CertificateProfile.authority
        narrow.permittedDNSSubtrees = ["inside.test"]
        narrow.pathLength = 0
        let authority = try root.intermediate(profile: narrow)
        let inside = try authority.issue(["a.inside.test"])
        #expect(throws: Never.self) { try judge(inside, roots: root, host: "a.inside.test") }
        let outside = try authority.issue(["outside.test"])
        let error = #expect(throws: TrustError.self) { try judge(outside, roots: root, host: "outside.test") }
        #expect(error?.code == .chainInvalid)
        let deeper = try authority.intermediate(name: "Too deep").issue(["a.inside.test"])
        #expect(throws: TrustError(.chainInvalid, reason: "")) {
            try judge(deeper, roots: root, host: "a.inside.test")
        }
    }

    @Test func `weak keys and digests can be made and are refused`() throws {
        let root = try LocalCertificateAuthority()
        var weak = CertificateProfile.server
        weak.digest = .sha1
        #expect(throws: TrustError(.chainInvalid, reason: "")) { try judge(root.issue(profile: weak), roots: root) }
        weak.digest = .sha256
        #expect(throws: Never.self) { try judge(root.issue(profile: weak), roots: root) }
        #expect(throws: TrustError(.chainInvalid, reason: "")) {
            try judge(root.issue(keyType: .rsa(bits: 1024)), roots: root)
        }
    }

    @Test func `a self-signed certificate is its own anchor`() throws {
        let identity = try LocalCertificateAuthority.selfSigned()
        #expect(identity.certificate.isSelfIssued)
        for (anchor, passes) in [
            (identity.certificate, true), (try LocalCertificateAuthority.selfSigned().certificate, false),
        ] {
            let trust = try ServerTrust(presentedChain: identity.chain, host: "localhost", date: Date())
            let chain = try? trust.validatedChain(roots: .certificates([anchor]))
            #expect((chain != nil) == passes)
        }
    }

    @Test func `a renewal keeps the pin, another key does not`() throws {
        let root = try LocalCertificateAuthority()
        let first = try root.issue()
        let renewed = try root.issue(key: first.privateKey)
        #expect(renewed.certificate != first.certificate)
        #expect(renewed.pin == first.pin)
        #expect(try root.issue().pin != first.pin)
        #expect(try PublicKeyPin(of: first.privateKey.publicKey) == first.pin)
    }

    @Test func `a cross-certificate leads to the older root`() throws {
        let old = try LocalCertificateAuthority(name: "Old")
        let new = try LocalCertificateAuthority(name: "New")
        let cross = try old.intermediate(name: "New", key: new.privateKey)
        let identity = try new.issue()
        #expect(throws: TrustError(.noAnchor, reason: "")) { try judge(identity, roots: old) }
        let crossed = identity.presenting([identity.certificate, cross.certificate])
        #expect(try judge(crossed, roots: old).last == old.certificate)
        #expect(try judge(identity, roots: new).last == new.certificate)
    }

    @Test func `two certificates of one authority have different serial numbers`() throws {
        let root = try LocalCertificateAuthority()
        let key = try PrivateKey()
        let validity = Validity.default
        let first = try root.issue(validity: validity, key: key)
        let second = try root.issue(validity: validity, key: key)
        #expect(first.certificate.der != second.certificate.der)
    }

    @Test func `an authority that was kept issues further`() throws {
        let root = try LocalCertificateAuthority()
        let kept = try LocalCertificateAuthority(
            certificate: Certificate(pem: root.certificate.pem),
            privateKey: PrivateKey(pem: root.privateKey.pem)
        )
        #expect(throws: Never.self) { try judge(kept.issue(), roots: root) }
        let error = #expect(throws: TestingError.self) {
            try LocalCertificateAuthority(certificate: root.certificate, privateKey: PrivateKey())
        }
        #expect(error?.code == .identityUnusable)
    }
}
