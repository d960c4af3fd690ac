internal import Foundation

extension String {
    /// The text with every byte of its UTF-8 escaped that `isPlain` does not let through (RFC 3986 §2.1).
    func percentEncoded(where isPlain: (UInt8) -> Bool) -> String {
        guard !utf8.allSatisfy(isPlain) else { return self }
        return utf8.reduce(into: "") { text, byte in
            if isPlain(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += byte < 0x10 ? "%0" : "%"
                text += String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

extension URL {
    /// The URL with more in its query. Done on the text, since components would write anew what is there.
    func appendingQuery(_ query: String) throws -> URL {
        guard !query.isEmpty else { return self }
        let text = absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let head = text[..<end]
        let separator = head.contains("?") ? (head.hasSuffix("?") || head.hasSuffix("&") ? "" : "&") : "?"
        return try "\(head)\(separator)\(query)\(text[end...])".asURL()
    }
}
