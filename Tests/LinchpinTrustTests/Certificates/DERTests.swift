import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct DERTests {
    @Test func `a certificate cut off anywhere is an error`() throws {
        let der = try LocalCertificateAuthority.selfSigned().certificate.der
        #expect(try Certificate(der: der).der == der)
        for length in 0..<der.count {
            let error = #expect(throws: TrustError.self, "\(length) of \(der.count) bytes") {
                try Certificate(der: der.prefix(length))
            }
            #expect(error?.code == .malformedCertificate)
        }
    }

    @Test(arguments: [1, 3, 1_000])
    func `bytes after the certificate are an error`(count: Int) throws {
        let der = try LocalCertificateAuthority.selfSigned().certificate.der
        let error = #expect(throws: TrustError.self) { try Certificate(der: der + Data(count: count)) }
        #expect(error?.code == .malformedCertificate)
    }

    @Test func `two certificates in a row are an error`() throws {
        let der = try LocalCertificateAuthority.selfSigned().certificate.der
        let error = #expect(throws: TrustError.self) { try Certificate(der: der + der) }
        #expect(error?.code == .malformedCertificate)
    }

    @Test func `a slice of data is read from its own start`() throws {
        let der = try LocalCertificateAuthority.selfSigned().certificate.der
        let slice = (Data([1, 2, 3]) + der + Data([4])).dropFirst(3).dropLast()
        #expect(try Certificate(der: slice).der == der)
    }

    @Test func `a byte that was changed is an error or another certificate`() throws {
        let certificate = try LocalCertificateAuthority.selfSigned().certificate
        for index in certificate.der.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var der = certificate.der
                der[index] ^= change
                guard let changed = try? Certificate(der: der) else { continue }
                #expect(changed != certificate, "byte \(index)")
                _ = (changed.description, changed.subjectAlternativeNames, changed.fingerprint)
            }
        }
    }

    @Test func `certificates are equal when their encodings are`() throws {
        let key = try PrivateKey()
        let first = try LocalCertificateAuthority.selfSigned(validity: .atNoon, key: key).certificate
        let renewed = try LocalCertificateAuthority.selfSigned(validity: .atNoon, key: key).certificate
        #expect(try Certificate(der: first.der) == first)
        #expect(try Set([first, Certificate(der: first.der), renewed]).count == 2)
        #expect(first.publicKey == renewed.publicKey)
    }
}
