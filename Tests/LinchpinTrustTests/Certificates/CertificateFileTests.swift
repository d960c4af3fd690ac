import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct CertificateFileTests {
    @Test func `PEM and DER files are read`() throws {
        let directory = try TemporaryDirectory()
        let first = try LocalCertificateAuthority.selfSigned(["first.example"]).certificate
        let second = try LocalCertificateAuthority.selfSigned(["second.example"]).certificate
        let pem = try directory.write(first.pem + second.pem, to: "both.pem")
        let der = try directory.write(first.der, to: "first.der")
        #expect(try Certificate.certificates(contentsOfFile: pem) == [first, second])
        #expect(try Certificate.certificates(contentsOfFile: der) == [first])
    }

    @Test func `a PEM file whose text begins like DER is read as PEM`() throws {
        let directory = try TemporaryDirectory()
        let certificate = try LocalCertificateAuthority.selfSigned().certificate
        let file = try directory.write("0 s:CN = localhost\n" + certificate.pem, to: "shown.pem")
        #expect(try Certificate.certificates(contentsOfFile: file) == [certificate])
    }

    @Test func `a missing file is named, with errno's words`() throws {
        let path = try TemporaryDirectory().path(of: "missing.pem")
        let error = #expect(throws: TrustError.self) { try Certificate.certificates(contentsOfFile: path) }
        #expect(error?.code == .unreadableFile)
        #expect(error?.reason == "\(path): No such file or directory")
    }

    @Test func `a directory is named, with errno's words`() throws {
        let directory = try TemporaryDirectory()
        let error = #expect(throws: TrustError.self) { try Certificate.certificates(contentsOfFile: directory.path) }
        #expect(error?.code == .unreadableFile)
        #expect(error?.reason == "\(directory.path): Is a directory")
    }

    @Test(arguments: ["", "no certificate", "0"])
    func `a file without a certificate is named`(text: String) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(text, to: "broken.pem")
        let error = #expect(throws: TrustError.self) { try Certificate.certificates(contentsOfFile: file) }
        #expect(error?.code == .malformedCertificate)
        #expect(error?.reason.hasPrefix("\(file): ") == true)
    }

    @Test func `a DER file with bytes after the certificate is an error`() throws {
        let directory = try TemporaryDirectory()
        let certificate = try LocalCertificateAuthority.selfSigned().certificate
        let file = try directory.write(certificate.der + Data("\n".utf8), to: "long.der")
        let error = #expect(throws: TrustError.self) { try Certificate.certificates(contentsOfFile: file) }
        #expect(error?.code == .malformedCertificate)
    }
}
