package import Foundation
package import FoundationNetworking

/// Makes text of a body.
package enum TextDecoding {
    /// The text of a body, in the given encoding; else in the one that the response's Content-Type names; else in the
    /// one of its byte order mark; else in UTF-8. A byte order mark is no part of the text.
    ///
    /// - Parameters:
    ///   - data: the whole body.
    ///   - encoding: what to read it as, whatever the response says. It is taken literally: `.isoLatin1` is ISO 8859-1,
    ///     while the charset `iso-8859-1` is windows-1252, as in browsers.
    ///   - response: where the charset is looked up.
    /// - Throws: ``SessionError`` `.responseSerializationFailed(.stringSerializationFailed)` when the bytes are no text,
    ///   and `(.unsupportedCharset)` when the response names a charset that is not known. No byte is ever replaced.
    package static func text(
        of data: Data,
        encoding: String.Encoding? = nil,
        response: HTTPURLResponse?
    ) throws(SessionError) -> String {
        if let encoding {
            guard let known = TextEncoding(encoding) else {
                guard let text = String(data: data, encoding: encoding) else { throw noText(in: encoding) }
                return text
            }
            return try text(of: data, in: known)
        }
        guard let charset = response?.charset else { return try text(of: data, in: mark(of: data) ?? .utf8) }
        guard let known = TextEncoding(label: charset) else { throw unsupported(charset) }
        return try text(of: data, in: known)
    }

    private static func text(of data: Data, in encoding: TextEncoding) throws(SessionError) -> String {
        guard let name = ordered(encoding, for: data).iconvName else {
            let start = data.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            guard let text = String(validating: data.dropFirst(start), as: UTF8.self) else {
                throw noText(in: .utf8)
            }
            return text
        }
        guard let text = try converted(data, from: encoding, named: name) else { throw noText(in: encoding.encoding) }
        guard encoding.isUnicode, text.unicodeScalars.first == "\u{FEFF}" else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    /// iconv's text; nil when the bytes are none.
    private static func converted(
        _ data: Data,
        from encoding: TextEncoding,
        named name: String
    ) throws(SessionError) -> String? {
        if encoding.isBig5 {
            guard let decoder = Big5Decoder() else { throw unsupported(name) }
            return data.withUnsafeBytes { decoder.text(of: $0) }
        }
        guard let decoder = IconvDecoder(name, gaps: encoding.gaps) else { throw unsupported(name) }
        return data.withUnsafeBytes { decoder.text(of: $0) }
    }

    /// The encoding with its byte order; UTF-16 and UTF-32 have it in their mark.
    private static func ordered(_ encoding: TextEncoding, for data: Data) -> TextEncoding {
        switch encoding.encoding {
        case .utf16: data.starts(with: [0xFE, 0xFF]) ? .utf16BigEndian : encoding
        case .utf32: data.starts(with: [0, 0, 0xFE, 0xFF]) ? .utf32BigEndian : encoding
        default: encoding
        }
    }

    /// The encoding that the first bytes mark. UTF-32's little-endian mark begins like UTF-16's, so it comes first.
    private static func mark(of data: Data) -> TextEncoding? {
        let marks: [([UInt8], TextEncoding)] = [
            ([0xEF, 0xBB, 0xBF], .utf8), ([0, 0, 0xFE, 0xFF], .utf32BigEndian),
            ([0xFF, 0xFE, 0, 0], .utf32LittleEndian),
            ([0xFE, 0xFF], .utf16BigEndian), ([0xFF, 0xFE], .utf16LittleEndian),
        ]
        return marks.first { data.starts(with: $0.0) }?.1
    }

    private static func noText(in encoding: String.Encoding) -> SessionError {
        .responseSerializationFailed(reason: .stringSerializationFailed(encoding: encoding))
    }

    private static func unsupported(_ charset: String) -> SessionError {
        .responseSerializationFailed(reason: .unsupportedCharset(name: charset))
    }
}

extension HTTPURLResponse {
    /// The `charset` of the Content-Type (RFC 9110 §8.3.2), without quotes; nil when there is none.
    fileprivate var charset: String? {
        guard let type = value(forHTTPHeaderField: "Content-Type") else { return nil }
        for parameter in type.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces).lowercased() == "charset" else {
                continue
            }
            let name = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
            return name.isEmpty ? nil : name
        }
        return nil
    }
}
