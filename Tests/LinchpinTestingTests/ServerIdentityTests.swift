import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct ServerIdentityTests {
    @Test func `PEM text holds the chain in its order`() throws {
        let identity = try LocalCertificateAuthority().intermediate().issue()
        #expect(try Certificate.certificates(pem: identity.chainPEM) == identity.chain)
        let again = try ServerIdentity(chainPEM: identity.chainPEM, privateKeyPEM: identity.privateKeyPEM)
        #expect(again.certificate == identity.certificate)
        #expect(again.chain == identity.chain)
        #expect(again.pin == identity.pin)
    }

    @Test func `a chain with another key is no identity`() throws {
        let identity = try LocalCertificateAuthority.selfSigned()
        let error = #expect(throws: TestingError.self) {
            try ServerIdentity(chainPEM: identity.chainPEM, privateKeyPEM: PrivateKey().pem)
        }
        #expect(error?.code == .identityUnusable)
    }

    @Test func `another chain can be presented`() throws {
        let identity = try LocalCertificateAuthority().issue()
        let stranger = try LocalCertificateAuthority().certificate
        let chain = [identity.certificate, stranger]
        #expect(identity.presenting(chain).chain == chain)
        #expect(identity.presenting(chain).certificate == identity.certificate)
        #expect(identity.chain == [identity.certificate])
    }

    @Test func `files hold chain and key, and only the owner reads the key`() throws {
        let directory = try TemporaryDirectory()
        let identity = try LocalCertificateAuthority().intermediate().issue()
        let files = try identity.write(to: directory.path + "/new/deep", name: "server")
        #expect(files.certificates == directory.path + "/new/deep/server.pem")
        #expect(try directory.text(of: "new/deep/server.pem") == identity.chainPEM)
        #expect(try directory.text(of: "new/deep/server.key") == identity.privateKeyPEM)
        #expect(try directory.mode(of: "new/deep/server.key") == 0o600)
        #expect(try directory.mode(of: "new/deep/server.pem") & 0o600 == 0o600)
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/new/deep")
        #expect(left.sorted() == ["server.key", "server.pem"])
    }

    @Test func `files of the same name are replaced, modes included`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("old", to: "server.key", mode: 0o644)
        let identity = try LocalCertificateAuthority.selfSigned()
        try identity.write(to: directory.path, name: "server")
        #expect(try directory.text(of: "server.key") == identity.privateKeyPEM)
        #expect(try directory.mode(of: "server.key") == 0o600)
    }

    @Test func `an authority is written with its key or without`() throws {
        let directory = try TemporaryDirectory()
        let root = try LocalCertificateAuthority()
        try root.write(to: directory.path, name: "root")
        try root.writeCertificate(to: directory.path, name: "alone")
        #expect(try directory.text(of: "root.pem") == root.certificate.pem)
        #expect(try directory.text(of: "alone.pem") == root.certificate.pem)
        #expect(try directory.text(of: "root.key") == root.privateKey.pem)
        #expect(try directory.mode(of: "root.key") == 0o600)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/alone.key"))
    }

    @Test(arguments: ["", "a/b", "../a", "a\0b"]) func `a name that is no file name is an error`(name: String) throws {
        let directory = try TemporaryDirectory()
        let identity = try LocalCertificateAuthority.selfSigned()
        let error = #expect(throws: TestingError.self) { try identity.write(to: directory.path, name: name) }
        #expect(error?.code == .unwritableFile)
    }

    @Test func `a directory that cannot be made is an error`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "file")
        let identity = try LocalCertificateAuthority.selfSigned()
        let error = #expect(throws: TestingError.self) {
            try identity.write(to: directory.path + "/file/below", name: "server")
        }
        #expect(error?.code == .unwritableFile)
    }
}
