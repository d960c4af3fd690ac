internal import Foundation

/// A pin as somebody wrote or pasted it.
struct PinText {
    let text: String

    /// The 32 bytes that the text stands for.
    ///
    /// - Throws: ``TrustError`` with code `malformedPin` and the remedy.
    func digest() throws(TrustError) -> Data {
        if let bytes = Self.bytes(hexadecimal: text) {
            guard bytes.count == 32 else { throw malformed(Self.mistake(inCount: bytes)) }
            return bytes
        }
        guard let base64 = base64 else { throw malformed(mistakeInForm) }
        guard let bytes = Self.bytes(base64: base64), bytes.count == 32 else {
            throw malformed(Self.mistake(inBase64: base64))
        }
        return bytes
    }

    /// What stands in the place of the Base64; nil when the text has none of the forms.
    private var base64: String? {
        let (plain, header, quote) = ("sha256/", "pin-sha256=\"", "\"")
        if text.hasPrefix(plain) {
            let rest = text.dropFirst(plain.count)
            // Base64 may begin with a slash itself; only the length tells the two forms apart.
            let isWhole = rest.utf8.count == 44 && rest.hasSuffix("=")
            return String(rest.hasPrefix("/") && !isWhole ? rest.dropFirst() : rest)
        }
        guard text.hasPrefix(header), text.hasSuffix(quote), text.count > header.count else { return nil }
        return String(text.dropFirst(header.count).dropLast())
    }

    /// The bytes of canonical Base64; nil for any other text.
    private static func bytes(base64: String) -> Data? {
        guard let bytes = Data(base64Encoded: base64), bytes.base64EncodedString() == base64 else { return nil }
        return bytes
    }

    /// The bytes of hexadecimal digits, all or none of the pairs separated by colons; nil for any other text.
    private static func bytes(hexadecimal text: String) -> Data? {
        let bytes = Array(text.utf8)
        let hasColons = bytes.count > 2 && bytes[2] == UInt8(ascii: ":")
        let step = hasColons ? 3 : 2
        guard !bytes.isEmpty, (bytes.count + (hasColons ? 1 : 0)).isMultiple(of: step) else { return nil }
        var result = Data()
        for start in stride(from: 0, to: bytes.count, by: step) {
            guard let high = digit(bytes[start]), let low = digit(bytes[start + 1]),
                !hasColons || start + 2 == bytes.count || bytes[start + 2] == UInt8(ascii: ":")
            else { return nil }
            result.append(high << 4 | low)
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private func malformed(_ why: String) -> TrustError {
        TrustError(.malformedPin, reason: "\"\(shownText)\" is not a pin: \(why)")
    }

    /// The text for an error. Of PEM, which may be a private key, nothing but the label.
    private var shownText: String {
        if let begin = text.range(of: "-----BEGIN ") {
            return "-----BEGIN \(text[begin.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == " " })-----…"
        }
        return text.count > 200 ? "\(text.prefix(200))…" : text
    }
}

// MARK: - What people paste instead

extension PinText {
    private static let key = "take the pin of the key from Certificate(pem:).publicKeyPin"
    private static let sha1 =
        "it is a SHA-1, which is not accepted; pins are SHA-256, take it from Certificate(pem:).publicKeyPin"

    /// What is wrong with a text that has none of the forms.
    private var mistakeInForm: String {
        let lowercase = text.lowercased()
        if text.isEmpty { return "it is empty" }
        if text.contains("-----BEGIN") { return "it is PEM; \(Self.key) or PublicKey(pem:)" }
        if lowercase.contains("fingerprint") {
            return "it is the fingerprint of a whole certificate, which changes with every renewal; \(Self.key)"
        }
        if text != text.trimmingCharacters(in: .whitespacesAndNewlines) {
            return "there is white space around it; remove that"
        }
        if lowercase.contains(")= ") { return "give only the 64 digits that follow `= `" }
        if lowercase.hasPrefix("sha1") || lowercase.hasPrefix("sha-1") { return Self.sha1 }
        if lowercase.hasPrefix("sha384") || lowercase.hasPrefix("sha512") { return "only SHA-256 is accepted" }
        if lowercase.hasPrefix("pin-sha256=") {
            return "this form is `pin-sha256=\"…\"`, in lower case and with its quotes, one pin in each text"
        }
        if lowercase.hasPrefix("sha256") || lowercase.hasPrefix("sha-256") {
            return "the part before the Base64 is written `sha256/`, in lower case"
        }
        if let bytes = Self.bytes(base64: text) {
            if bytes.count == 32 { return "put `sha256/` before it" }
            if bytes.count == 20 || bytes.first == 0x30 { return Self.mistake(inCount: bytes) }
        }
        return "write `sha256/` and the Base64 of the SHA-256 of a SubjectPublicKeyInfo, or its 64 hexadecimal digits"
    }

    /// What is wrong with what stands in the place of 44 characters of Base64.
    private static func mistake(inBase64 text: String) -> String {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        if text.contains("sha256") { return "give each pin as a text of its own" }
        if bytes(hexadecimal: text)?.count == 32 {
            return "hexadecimal digits stand alone; leave out what is before them"
        }
        if let bytes = bytes(base64: text) { return mistake(inCount: bytes) }
        if standard != text, bytes(base64: standard) != nil || bytes(base64: standard + "=") != nil {
            return "it is Base64URL; write `+` for `-` and `/` for `_`, and `=` at the end"
        }
        if bytes(base64: text + "=")?.count == 32 { return "the padding is missing; write `=` at the end" }
        if text != text.trimmingCharacters(in: .whitespacesAndNewlines) {
            return "there is white space in it; remove that"
        }
        if text.utf8.count == 44, Data(base64Encoded: text)?.count == 32 {
            return "its last character has bits beyond the 32 bytes; a character was changed or lost"
        }
        return "what should be Base64 is not standard Base64 with its padding"
    }

    /// What is wrong with bytes that are not 32.
    private static func mistake(inCount bytes: Data) -> String {
        if bytes.isEmpty { return "nothing follows what is before the Base64" }
        if bytes.count == 20 { return sha1 }
        if bytes.count > 32, bytes.first == 0x30 {
            return "it holds \(bytes.count) bytes and seems to be a key or a certificate, not its SHA-256; \(key)"
        }
        return "it holds \(bytes.count) bytes where a SHA-256 has 32; was all of it copied?"
    }
}
