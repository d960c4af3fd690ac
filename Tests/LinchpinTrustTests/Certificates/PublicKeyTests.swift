import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct PublicKeyTests {
    @Test func `a key is read from DER and from PEM`() throws {
        let key = try LocalCertificateAuthority.selfSigned().certificate.publicKey
        #expect(try PublicKey(der: key.der) == key)
        for text in [
            pem(key), pem(key).replacing("\n", with: "\r\n"), "key:\n" + pem(key), String(pem(key).dropLast()),
        ] {
            #expect(try PublicKey(pem: text) == key)
        }
    }

    @Test func `a key cut off anywhere is an error`() throws {
        let der = try LocalCertificateAuthority.selfSigned().certificate.publicKey.der
        for length in 0..<der.count {
            let error = #expect(throws: TrustError.self) { try PublicKey(der: der.prefix(length)) }
            #expect(error?.code == .malformedPublicKey)
        }
        let error = #expect(throws: TrustError.self) { try PublicKey(der: der + Data([0])) }
        #expect(error?.code == .malformedPublicKey)
    }

    @Test func `anything but one public key is an error`() throws {
        let identity = try LocalCertificateAuthority.selfSigned()
        let key = pem(identity.certificate.publicKey)
        let texts = [
            "", "no key", identity.certificate.pem, identity.privateKeyPEM, key + key, "  " + key,
            key.replacing("=", with: "!"), String(key.prefix(60)),
        ]
        for text in texts {
            let error = #expect(throws: TrustError.self, "\(text)") { try PublicKey(pem: text) }
            #expect(error?.code == .malformedPublicKey)
        }
    }

    private func pem(_ key: PublicKey) -> String {
        let base64 = key.der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN PUBLIC KEY-----\n\(base64)\n-----END PUBLIC KEY-----\n"
    }
}
