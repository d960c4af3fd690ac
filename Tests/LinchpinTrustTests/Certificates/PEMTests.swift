import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct PEMTests {
    /// Two certificates and the text of a key, to build PEM texts of.
    struct Material {
        let first: Certificate
        let second: Certificate
        let key: String

        init() throws {
            let identity = try LocalCertificateAuthority.selfSigned(["first.example"])
            first = identity.certificate
            second = try LocalCertificateAuthority.selfSigned(["second.example"]).certificate
            key = identity.privateKeyPEM
        }
    }

    /// A text made of the material, with a name for the test's output.
    struct Text: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (Material) throws -> Data

        init(_ name: String, _ make: @escaping @Sendable (Material) throws -> String) {
            testDescription = name
            self.make = { Data(try make($0).utf8) }
        }

        init(bytes name: String, _ make: @escaping @Sendable (Material) throws -> Data) {
            testDescription = name
            self.make = make
        }
    }

    // MARK: Accepted

    private static let bothCertificates = [
        Text("one after the other") { $0.first.pem + $0.second.pem },
        Text("text around") {
            "Bag Attributes\n    friendlyName: x\nsubject=CN = a\n\n" + $0.first.pem + "\nand the next:\n"
                + $0.second.pem
                + "\nthe end"
        },
        Text("CRLF") { ($0.first.pem + $0.second.pem).replacing("\n", with: "\r\n") },
        Text("CR only") { ($0.first.pem + $0.second.pem).replacing("\n", with: "\r") },
        Text("a block of each line end") {
            $0.first.pem.replacing("\n", with: "\r") + $0.second.pem.replacing("\n", with: "\r\n")
        },
        Text(bytes: "a byte order mark") { Data([0xEF, 0xBB, 0xBF]) + Data(($0.first.pem + $0.second.pem).utf8) },
        Text(bytes: "a byte order mark and CRLF") {
            Data([0xEF, 0xBB, 0xBF]) + Data(($0.first.pem + $0.second.pem).replacing("\n", with: "\r\n").utf8)
        },
        Text("no final newline") { String(($0.first.pem + $0.second.pem).dropLast()) },
        Text("CR only and no final newline") {
            String(($0.first.pem + $0.second.pem).dropLast()).replacing("\n", with: "\r")
        },
        Text("a blank first line") { "\n\n" + $0.first.pem + "\n\n" + $0.second.pem },
        Text("trailing spaces and tabs") { ($0.first.pem + $0.second.pem).replacing("\n", with: " \t\n") },
        Text("the label X509 CERTIFICATE") {
            $0.first.pem.replacing("CERTIFICATE", with: "X509 CERTIFICATE") + $0.second.pem
        },
        Text("lines of 76 characters") {
            PEMTests.block($0.first.der.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed]))
                + $0.second.pem
        },
        Text("all Base64 on one line") {
            PEMTests.block($0.first.der.base64EncodedString()) + $0.second.pem
        },
        Text("a private key between") { $0.first.pem + $0.key + $0.second.pem },
        Text("a private key first and a public key last") { material in
            let spki = material.first.publicKey.der.base64EncodedString(options: .lineLength64Characters)
            let publicKey = "-----BEGIN PUBLIC KEY-----\n\(spki.replacing("\r", with: ""))\n-----END PUBLIC KEY-----\n"
            return material.key + material.first.pem + material.second.pem + publicKey
        },
        Text("bytes of no encoding around") {
            "r\u{E9}sum\u{E9} \u{1F512}\n" + $0.first.pem + "\u{0}\n" + $0.second.pem
        },
    ]

    @Test(arguments: bothCertificates)
    func `every certificate is read, in order`(text: Text) throws {
        let material = try Material()
        let read = try Certificate.certificates(pem: text.make(material))
        #expect(read == [material.first, material.second])
    }

    @Test func `more than two are read`() throws {
        let certificates = try (0..<20).map { try LocalCertificateAuthority.selfSigned([.dns("\($0).example")]) }
            .map(\.certificate)
        #expect(try Certificate.certificates(pem: certificates.map(\.pem).joined()) == certificates)
    }

    @Test func `what is written is read back`() throws {
        let certificate = try Material().first
        #expect(try Certificate(pem: certificate.pem) == certificate)
    }

    @Test func `one is wanted and one is there`() throws {
        let material = try Material()
        #expect(try Certificate(pem: material.key + material.first.pem) == material.first)
        let error = #expect(throws: TrustError.self) { try Certificate(pem: material.first.pem + material.second.pem) }
        #expect(error?.code == .malformedCertificate)
    }

    // MARK: Refused, with the block's number

    /// A way to spoil a block; the others stay as they are.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (_ block: String) -> String

        init(_ name: String, _ apply: @escaping @Sendable (String) -> String) {
            testDescription = name
            self.apply = apply
        }

        /// The block's lines without BEGIN and END.
        static func body(_ block: String, _ change: ([Substring]) -> [Substring]) -> String {
            let lines = block.split(separator: "\n")
            return ([lines[0]] + change(Array(lines[1..<(lines.count - 1)])) + [lines[lines.count - 1]])
                .joined(separator: "\n") + "\n"
        }
    }

    private static let damages = [
        Damage("a character that is not Base64") { block in
            Damage.body(block) { [$0[0], "!" + $0[1].dropFirst()] + $0[2...] }
        },
        Damage("a character missing") { block in Damage.body(block) { [$0[0].dropLast()] + $0[1...] } },
        Damage("a line missing") { block in Damage.body(block) { Array($0.dropFirst()) } },
        Damage("no Base64 at all") { block in Damage.body(block) { _ in [] } },
        Damage("no END line") { block in
            block.replacing("-----END CERTIFICATE-----\n", with: "")
        },
        Damage("half a block") { block in String(block.prefix(block.count / 2)) + "\n" },
        Damage("an END line of another label") { block in
            block.replacing("END CERTIFICATE", with: "END X509 CERTIFICATE")
        },
        Damage("an END line with four hyphens") { block in
            block.replacing("END CERTIFICATE-----", with: "END CERTIFICATE----")
        },
        Damage("a BEGIN line with four hyphens") { block in
            block.replacing("BEGIN CERTIFICATE-----", with: "BEGIN CERTIFICATE----")
        },
        Damage("a BEGIN line that begins with four hyphens") { block in String(block.dropFirst()) },
        Damage("no BEGIN line") { block in block.replacing("-----BEGIN CERTIFICATE-----\n", with: "") },
        Damage("a BEGIN line between") { block in
            Damage.body(block) { $0[..<2] + ["-----BEGIN CERTIFICATE-----"] + $0[2...] }
        },
        Damage("every line indented") { block in
            block.split(separator: "\n").map { "    \($0)\n" }.joined()
        },
        Damage("the BEGIN line indented") { block in "  " + block },
        Damage("text before BEGIN on its line") { block in "cert: " + block },
        Damage("line ends as two characters") { block in block.replacing("\n", with: "\\n") + "\n" },
        Damage("another container: PKCS7") { block in block.replacing("CERTIFICATE", with: "PKCS7") },
        Damage("another container: TRUSTED CERTIFICATE") { block in
            block.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE")
        },
        Damage("another container: CERTIFICATE REQUEST") { block in
            block.replacing("CERTIFICATE", with: "CERTIFICATE REQUEST")
        },
        Damage("another container: X509 CRL") { block in block.replacing("CERTIFICATE", with: "X509 CRL") },
        Damage("bytes after the certificate") { block in
            PEMTests.reencoded(block) { $0 + Data([0, 0, 0]) }
        },
        Damage("a second certificate in the same block") { block in PEMTests.reencoded(block) { $0 + $0 } },
        Damage("a truncated certificate") { block in PEMTests.reencoded(block) { $0.dropLast(10) } },
        Damage("something else than a certificate") { block in
            PEMTests.reencoded(block) { _ in Data([0x30, 0x03, 0x02, 0x01, 0x00]) }
        },
    ]

    @Test(arguments: damages, 1...3)
    func `a broken block is an error that names it`(damage: Damage, number: Int) throws {
        let material = try Material()
        let blocks = [material.first.pem, material.second.pem, material.first.pem]
        #expect(try Certificate.certificates(pem: blocks.joined()).count == 3)
        var damaged = blocks
        damaged[number - 1] = damage.apply(blocks[number - 1])
        let error = #expect(throws: TrustError.self) { try Certificate.certificates(pem: damaged.joined()) }
        #expect(error?.code == .malformedCertificate)
        #expect(error?.reason.contains("PEM block \(number)") == true, "\(error?.reason ?? "")")
    }

    // MARK: Refused as a whole

    private static let hopeless = [
        Text("nothing") { _ in "" },
        Text("blank lines") { _ in "\n\r\n " },
        Text("a byte order mark alone") { _ in "\u{FEFF}" },
        Text("text without a block") { _ in "see the attached certificate" },
        Text("Base64 without its lines") { $0.first.der.base64EncodedString() },
        Text("an END line alone") { _ in "-----END CERTIFICATE-----\n" },
        Text("a key only") { $0.key },
        Text("two keys only") { $0.key + $0.key },
        Text(bytes: "UTF-16 with a byte order mark, little-endian") {
            Data([0xFF, 0xFE]) + (try #require($0.first.pem.data(using: .utf16LittleEndian)))
        },
        Text(bytes: "UTF-16 with a byte order mark, big-endian") {
            Data([0xFE, 0xFF]) + (try #require($0.first.pem.data(using: .utf16BigEndian)))
        },
        Text(bytes: "UTF-16 without a byte order mark") {
            try #require($0.first.pem.data(using: .utf16LittleEndian))
        },
        Text(bytes: "DER where PEM is wanted") { $0.first.der },
    ]

    @Test(arguments: hopeless)
    func `a text without a certificate is an error, never an empty list`(text: Text) throws {
        let material = try Material()
        let data = try text.make(material)
        let error = #expect(throws: TrustError.self) { try Certificate.certificates(pem: data) }
        #expect(error?.code == .malformedCertificate)
        #expect(try Certificate.certificates(pem: material.first.pem).count == 1)
    }

    /// The same block around other bytes.
    private static func reencoded(_ block: String, _ change: (Data) -> Data) -> String {
        let base64 = block.split(separator: "\n").dropFirst().dropLast().joined()
        let changed = change(Data(base64Encoded: base64) ?? Data())
            .base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return PEMTests.block(changed)
    }

    private static func block(_ base64: String) -> String {
        "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
    }
}
