import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct PrivateKeyTests {
    @Test(arguments: [KeyType.p256, .p384, .p521, .rsa2048, .rsaPSS(bits: 2048), .ed25519])
    func `a key comes back from its PEM text`(type: KeyType) throws {
        let key = try PrivateKey(type)
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let again = try PrivateKey(pem: key.pem)
        #expect(try again.publicKey == key.publicKey)
        #expect(try PrivateKey(type).publicKey != key.publicKey)
    }

    @Test func `an encrypted key is not read, and needs no terminal to be refused`() throws {
        let key = try PrivateKey()
        let encrypted = try key.encryptedPEM(password: "secret")
        #expect(encrypted.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
        let error = #expect(throws: TestingError.self) { try PrivateKey(pem: encrypted) }
        #expect(error?.code == .keyUnusable)
        let directory = try TemporaryDirectory()
        let path = try directory.write(encrypted, to: "key")
        let opened = try ClientTool.run(
            "openssl",
            ["pkey", "-in", path, "-passin", "pass:secret", "-pubout"]
        )
        #expect(try PublicKey(pem: opened.text) == key.publicKey)
    }

    @Test(arguments: ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `text without a key is an error`(text: String) {
        let error = #expect(throws: TestingError.self) { try PrivateKey(pem: text) }
        #expect(error?.code == .keyUnusable)
    }

    @Test(arguments: [0, -1, 100]) func `a key that OpenSSL does not make is an error`(bits: Int) {
        let error = #expect(throws: TestingError.self) { try PrivateKey(.rsa(bits: bits)) }
        #expect(error?.code == .keyUnusable)
    }

    @Test func `a description shows no key`() throws {
        #expect("\(try PrivateKey())" == "PrivateKey(EC, 256 bits)")
    }

    @Test func `a key belongs to its own certificate`() throws {
        let identity = try LocalCertificateAuthority.selfSigned()
        #expect(identity.privateKey.belongs(to: identity.certificate))
        #expect(try !PrivateKey().belongs(to: identity.certificate))
    }
}
