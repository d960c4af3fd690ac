import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct PublicKeyPinTests {
    /// 32 bytes whose Base64 has both characters that Base64URL writes otherwise.
    private static let digest = Data([0xFB, 0xEF, 0xBE, 0xFF, 0xFF] + (5..<32).map { UInt8($0) })
    private static var base64: String { digest.base64EncodedString() }
    private static var hex: String { hex(digest, separator: "") }
    private static func hex(_ data: Data, separator: String) -> String {
        data.map { String(format: "%02x", $0) }.joined(separator: separator)
    }
    private static let sha1 = Data(count: 20)

    @Test func `a pin is read and written in one form`() throws {
        let text = "sha256/\(Self.base64)"
        let pin = try PublicKeyPin(text)
        #expect(pin.digest == Self.digest)
        #expect(pin.description == text)
        #expect(Self.base64.contains("+") && Self.base64.contains("/") && Self.base64.hasSuffix("="))
    }

    @Test(arguments: [
        "sha256/\(base64)", "sha256//\(base64)", "pin-sha256=\"\(base64)\"", hex, hex.uppercased(),
        hex(digest, separator: ":"), hex(digest, separator: ":").uppercased(),
    ])
    func `every spelling of a pin is the same pin`(text: String) throws {
        #expect(try PublicKeyPin(text).digest == Self.digest)
    }

    @Test func `Base64 may begin with a slash`() throws {
        for bytes in [Data(repeating: 0xFF, count: 32), Data([0xFC]) + Data(count: 31)] {
            let base64 = bytes.base64EncodedString()
            #expect(base64.hasPrefix("/"))
            for text in ["sha256/\(base64)", "sha256//\(base64)", "pin-sha256=\"\(base64)\""] {
                #expect(try PublicKeyPin(text).digest == bytes)
            }
        }
    }

    @Test func `a certificate's pin is the digest of its key`() throws {
        let certificate = try LocalCertificateAuthority.selfSigned().certificate
        #expect(try PublicKeyPin(certificate.publicKeyPin.description) == PublicKeyPin(of: certificate.publicKey))
    }

    @Test(arguments: KeyVectors.all.indices)
    func `a key of every kind has the pin that OpenSSL's tools compute`(index: Int) throws {
        let (name, base64, pem) = KeyVectors.all[index]
        let certificate = try Certificate(pem: pem)
        #expect(certificate.publicKeyPin.description == "sha256/\(base64)", "\(name)")
        let pins = [certificate.publicKeyPin.description]
        let roots = TrustRoots.certificates([certificate])
        let right = try PublicKeyPinsTrustEvaluator(pins: pins, requiresBackupPin: false, roots: roots)
        #expect(try refusal(by: right, of: [certificate]) == nil, "\(name)")
        let other = ["sha256/\(KeyVectors.all[(index + 1) % KeyVectors.all.count].pin)"]
        let wrong = try PublicKeyPinsTrustEvaluator(pins: other, requiresBackupPin: false, roots: roots)
        #expect(try refusal(by: wrong, of: [certificate])?.code == .pinMismatch, "\(name)")
    }

    /// What people paste, and words of the remedy.
    private static let mistakes: [(text: String, words: String)] = [
        ("", "empty"), ("sha256/", "nothing follows"), ("pin-sha256=\"\"", "nothing follows"),
        ("\(base64)", "put `sha256/` before it"), (" sha256/\(base64)", "white space"),
        ("sha256/\(base64)\n", "white space"), ("sha256/\(base64)\r\n", "white space"),
        ("sha256/ \(base64)", "white space"), ("sha256/\(base64) ", "white space"), ("\(hex)\n", "white space"),
        ("SHA256/\(base64)", "lower case"), ("Sha256/\(base64)", "lower case"),
        ("sha-256/\(base64)", "written `sha256/`"),
        ("sha256:\(base64)", "written `sha256/`"), ("sha256=\(base64)", "written `sha256/`"),
        ("pin-sha256=\(base64)", "quotes"), ("pin-sha256='\(base64)'", "quotes"),
        ("PIN-SHA256=\"\(base64)\"", "lower case"), ("pin-sha256=\"\(base64)\";", "one pin in each text"),
        ("pin-sha256=\"\(base64)\"; pin-sha256=\"\(base64)\"", "each pin as a text of its own"),
        ("sha256/\(base64);sha256/\(base64)", "each pin as a text of its own"),
        ("sha256//\(base64);sha256//\(base64)", "each pin as a text of its own"),
        ("sha1/testest", "SHA-1"), ("sha1/\(sha1.base64EncodedString())", "SHA-1"), ("SHA1:abc", "SHA-1"),
        ("sha256/\(sha1.base64EncodedString())", "SHA-1"), (sha1.base64EncodedString(), "SHA-1"),
        (hex(sha1, separator: ""), "SHA-1"), (hex(sha1, separator: ":"), "SHA-1"),
        ("sha512/\(Data(count: 64).base64EncodedString())", "only SHA-256"), ("sha384/AAAA", "only SHA-256"),
        ("sha256/\(Data(count: 31).base64EncodedString())", "31 bytes"),
        ("sha256//\(Data(count: 31).base64EncodedString())", "31 bytes"),
        ("sha256//\(sha1.base64EncodedString())", "SHA-1"), ("sha256//\(base64.dropLast())", "padding is missing"),
        ("sha256//", "nothing follows"), ("sha256///\(base64)", "not standard Base64"),
        ("sha256/\(Data(count: 33).base64EncodedString())", "33 bytes"), ("sha256/AAAA", "3 bytes"),
        ("sha256/\(Data(count: 64).base64EncodedString())", "64 bytes"), (String(hex.dropLast(2)), "31 bytes"),
        (hex + "00", "33 bytes"), ("sha256/\((Data([0x30]) + Data(count: 90)).base64EncodedString())", "a key"),
        ("sha256/\(base64.dropLast())", "padding is missing"), ("pin-sha256=\"\(base64.dropLast())\"", "padding"),
        ("sha256/\(base64.replacing("+", with: "-").replacing("/", with: "_"))", "Base64URL"),
        ("sha256/\(base64.dropLast().replacing("+", with: "-").replacing("/", with: "_"))", "Base64URL"),
        ("sha256/\(base64)=", "not standard Base64"), ("sha256/\(base64.dropLast())==", "not standard Base64"),
        ("sha256/****", "not standard Base64"), ("sha256/\(base64)\u{0}", "not standard Base64"),
        ("sha256/\(base64.prefix(22))\n\(base64.dropFirst(22))", "not standard Base64"),
        ("sha256/\(hex)", "digits stand alone"),
        ("pin-sha256=\"\(hex(digest, separator: ":"))\"", "digits stand alone"),
        // The last character has bits that Base64 of 32 bytes leaves zero: not canonical.
        ("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=", "was changed or lost"),
        ("SHA2-256(stdin)= \(hex)", "only the 64 digits"), ("(stdin)= \(hex)", "only the 64 digits"),
        ("sha256 Fingerprint=\(hex(digest, separator: ":").uppercased())", "whole certificate"),
        (String(hex.dropLast()), "64 hexadecimal digits"), ("g\(hex.dropFirst())", "64 hexadecimal digits"),
        (hex.prefix(32) + ":" + hex.dropFirst(32), "64 hexadecimal digits"), (hex(digest, separator: "::"), "64 hex"),
        (hex(digest, separator: ":") + ":", "64 hex"), (hex(digest, separator: " "), "64 hex"), ("banana", "64 hex"),
        ("٣" + hex.dropFirst(), "64 hex"),
    ]

    @Test(arguments: mistakes.indices)
    func `a malformed pin is an error that names it and says what to do`(index: Int) {
        let (text, words) = Self.mistakes[index]
        let error = #expect(throws: TrustError.self) { try PublicKeyPin(text) }
        #expect(error?.code == .malformedPin)
        #expect(error?.reason.contains("\"\(text)\"") == true, "\(error?.reason ?? "")")
        #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
    }

    @Test(arguments: mistakes.indices)
    func `one malformed pin among good ones is an error of the evaluator, with its place`(index: Int) throws {
        let good = ["sha256/\(Self.base64)", "sha256/\(Data(count: 32).base64EncodedString())"]
        _ = try PublicKeyPinsTrustEvaluator(pins: good)
        let error = #expect(throws: TrustError.self) {
            try PublicKeyPinsTrustEvaluator(pins: good + [Self.mistakes[index].text])
        }
        #expect(error?.code == .malformedPin)
        #expect(error?.reason.hasPrefix("pin 3 of 3: ") == true)
    }

    @Test func `of a key or a certificate that was pasted the error shows the label only`() throws {
        let identity = try LocalCertificateAuthority.selfSigned()
        for pem in [identity.privateKeyPEM, identity.certificate.pem, "sha256/" + identity.privateKeyPEM] {
            let error = #expect(throws: TrustError.self) { try PublicKeyPin(pem) }
            #expect(error?.code == .malformedPin)
            #expect(error?.reason.contains("-----BEGIN ") == true)
            for line in pem.split(separator: "\n") where !line.contains("-----") && !line.contains("sha256/") {
                #expect(error?.reason.contains(line) == false)
            }
        }
        let long = #expect(throws: TrustError.self) { try PublicKeyPin(String(repeating: "x", count: 100_000)) }
        #expect((long?.reason.count ?? .max) < 500)
    }
}
