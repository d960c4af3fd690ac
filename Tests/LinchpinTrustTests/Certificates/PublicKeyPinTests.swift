import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct PublicKeyPinTests {
    /// 32 bytes whose Base64 has both characters that Base64URL writes otherwise.
    private static let digest = Data([0xFB, 0xEF, 0xBE, 0xFF, 0xFF] + (5..<32).map { UInt8($0) })
    private static var base64: String { digest.base64EncodedString() }

    @Test func `a pin is read and written in one form`() throws {
        let text = "sha256/\(Self.base64)"
        let pin = try PublicKeyPin(text)
        #expect(pin.digest == Self.digest)
        #expect(pin.description == text)
        #expect(Self.base64.contains("+") && Self.base64.contains("/") && Self.base64.hasSuffix("="))
    }

    @Test func `a certificate's pin is the digest of its key`() throws {
        let certificate = try LocalCertificateAuthority.selfSigned().certificate
        #expect(try PublicKeyPin(certificate.publicKeyPin.description) == PublicKeyPin(of: certificate.publicKey))
    }

    private static let malformed = [
        "", "sha256/", base64, " sha256/\(base64)", "SHA256/\(base64)", "Sha256/\(base64)", "sha-256/\(base64)",
        "sha256:\(base64)", "sha256//\(base64)", "sha256/ \(base64)", "pin-sha256=\"\(base64)\"",
        "sha1/testest", "sha1/\(Data(count: 20).base64EncodedString())",
        "sha512/\(Data(count: 64).base64EncodedString())",
        "sha256/\(Data(count: 20).base64EncodedString())", "sha256/\(Data(count: 31).base64EncodedString())",
        "sha256/\(Data(count: 33).base64EncodedString())", "sha256/\(Data(count: 64).base64EncodedString())",
        "sha256/\(base64)\n", "sha256/\(base64)\r\n", "sha256/\(base64) ", "sha256/\(base64)\u{0}",
        "sha256/\(base64.dropLast())", "sha256/\(base64)=", "sha256/\(base64.dropLast())==",
        "sha256/\(base64.replacing("+", with: "-").replacing("/", with: "_"))",
        "sha256/\(base64.prefix(22))\n\(base64.dropFirst(22))", "sha256/\(base64);sha256/\(base64)",
        "sha256/\(digest.map { String(format: "%02x", $0) }.joined())", "sha256/****",
        // The last character has bits that Base64 of 32 bytes leaves zero: not canonical.
        "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=",
    ]

    @Test(arguments: malformed)
    func `a malformed pin is an error that names it`(text: String) {
        let error = #expect(throws: TrustError.self) { try PublicKeyPin(text) }
        #expect(error?.code == .malformedPin)
        #expect(error?.reason.contains("\"\(text)\"") == true)
    }

    @Test(arguments: malformed)
    func `one malformed pin among good ones is an error of the evaluator`(text: String) throws {
        let good = "sha256/\(Self.base64)"
        _ = try PublicKeyPinsTrustEvaluator(pins: [good, good])
        let error = #expect(throws: TrustError.self) { try PublicKeyPinsTrustEvaluator(pins: [good, text]) }
        #expect(error?.code == .malformedPin)
    }

    @Test func `an empty list of pins is an error`() {
        let error = #expect(throws: TrustError.self) { try PublicKeyPinsTrustEvaluator(pins: []) }
        #expect(error?.code == .noPinsFound)
    }
}
