import Foundation
import FoundationNetworking
import LinchpinSession
import Testing

/// The bytes were made by Python's codecs.
@Suite struct TextDecodingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let charset: String
        let bytes: Data
        let text: String
        var testDescription: String { "\(charset) \(text)" }

        init(_ charset: String, _ hex: String, _ text: String) {
            self.charset = charset
            bytes = Data(hex: hex)
            self.text = text
        }
    }

    static let rows: [Row] = [
        Row("gb18030", "9d68d7d6a2e39439fc36", "漢字€😀"),
        Row("gbk", "d6d0cec4b7b1f377", "中文繁體"),
        Row("GB2312", "d6d0cec4b2e2cad4", "中文测试"),
        Row("gb2312", "e946b7b1f377", "镕繁體"),
        Row("big5", "c163c5e9a4a4a4e5a141b4fab8d5", "繁體中文，測試"),
        Row("Big5-HKSCS", "adbbb4e49def", "香港嘅"),
        Row("Shift_JIS", "93fa967b8ceac3bdc487408160", "日本語ﾃｽﾄ①～"),
        Row("euc-jp", "c6fccbdcb8eca5c6a5b9a5c8", "日本語テスト"),
        Row("iso-2022-jp", "1b2442467c4b5c386c1b2842616263", "日本語abc"),
        Row("euc-kr", "c7d1b1b9beee", "한국어"),
        Row("ks_c_5601-1987", "8c63b9e6b0a2c7cf", "똠방각하"),
        Row("iso-8859-2", "50f8ed6c69b920be6c75bb6f75e86bfd", "Příliš žluťoučký"),
        Row("iso-8859-5", "bfe0d8d2d5e2", "Привет"),
        Row("iso-8859-7", "c5ebebdce4e1", "Ελλάδα"),
        Row("iso-8859-15", "bd75767265203520a4", "œuvre 5 €"),
        Row("windows-1250", "a3f3649f20847893", "Łódź „x“"),
        Row("windows-1251", "cff0e8e2e5f220b931", "Привет №1"),
        Row("windows-1252", "936e61ef76659420962080", "“naïve” – €"),
        Row("ISO-8859-1", "936e61ef76659420962080", "“naïve” – €"),
        Row("windows-1253", "c5ebebdce4e12080", "Ελλάδα €"),
        Row("windows-1254", "dd7374616e62756c20f0", "İstanbul ğ"),
        Row("iso-8859-9", "dd7374616e62756c2080", "İstanbul €"),
        Row("windows-1255", "f9ece5ed", "שלום"),
        Row("windows-1256", "e3d1cdc8c7", "مرحبا"),
        Row("windows-1257", "e0e8e6eb", "ąčęė"),
        Row("windows-1258", "f0f520fe", "đơ ₫"),
        Row("windows-874", "cac7d1cab4d5", "สวัสดี"),
        Row("tis-620", "cac7d1cab4d5", "สวัสดี"),
        Row("koi8-r", "f0d2c9d7c5d4", "Привет"),
        Row("koi8-u", "b7d6c1cb", "Їжак"),
        Row("ibm866", "8fe0a8a2a5e2", "Привет"),
        Row("macintosh", "6e6195766520b6", "naïve ∂"),
        Row("utf-8", "c3a9f09f9880", "é😀"),
        Row("utf-16", "fffee9003dd800de", "é😀"),
        Row("utf-16", "e9003dd800de", "é😀"),
        Row("utf-16le", "e9003dd800de", "é😀"),
        Row("utf-16be", "00e9d83dde00", "é😀"),
        Row("utf-32", "fffe0000e900000000f60100", "é😀"),
        Row("utf-32be", "000000e90001f600", "é😀"),
        Row("us-ascii", "706c61696e", "plain"),
        Row("iso-8859-3", "e66170656c6f", "ĉapelo"),
        Row("iso-8859-4", "b1e8ea", "ąčę"),
        Row("iso-8859-6", "e5d1cdc8c7", "مرحبا"),
        Row("iso-8859-8", "f9ece5ed", "שלום"),
        Row("iso-8859-10", "bbb9bf", "ŧđŋ"),
        Row("iso-8859-11", "e4b7c2", "ไทย"),
        Row("iso-8859-13", "e0e8e6", "ąčę"),
        Row("iso-8859-14", "f0fe", "ŵŷ"),
        Row("iso-8859-16", "e3bafe", "ășț"),
    ]

    @Test(arguments: rows)
    func `a body is read as its charset says`(_ row: Row) throws {
        for type in ["text/plain; charset=\(row.charset)", "text/html;CharSet=\"\(row.charset.uppercased())\""] {
            #expect(try text(row.bytes, type) == row.text)
        }
    }

    @Test(arguments: [
        ("iso-8859-1", "818d8f909d", "\u{81}\u{8D}\u{8F}\u{90}\u{9D}"), ("windows-1254", "81", "\u{81}"),
        ("windows-1250", "8341", "\u{83}A"), ("gbk", "8041", "€A"), ("gb18030", "41ff41", ""),
        ("windows-1253", "aa", ""),
    ])
    func `what browsers read in the gaps of a table is read too, and no more`(
        _ charset: String,
        _ hex: String,
        _ expected: String
    ) throws {
        let data = Data(hex: hex)
        if expected.isEmpty {
            #expect(failedEncoding { try text(data, "text/plain; charset=\(charset)") } != nil)
        } else {
            #expect(try text(data, "text/plain; charset=\(charset)") == expected)
        }
    }

    @Test(
        arguments: [
            ("efbbbfc3a9", nil), ("feff00e9", nil), ("fffee900", nil), ("0000feff000000e9", nil),
            ("fffe0000e9000000", nil),
            ("c3a9", nil), ("efbbbfc3a9", "utf-8"), ("feff00e9", "utf-16"), ("fffee900", "utf-16"), ("e900", "utf-16"),
            ("fffee900", "utf-16le"), ("feff00e9", "utf-16be"), ("e9", "iso-8859-1"), ("c3a9", ""), ("c3a9", "\"\""),
        ] as [(String, String?)]
    )
    func `without a charset the byte order mark decides, else it is UTF-8`(_ hex: String, _ charset: String?) throws {
        #expect(try text(Data(hex: hex), charset.map { "text/plain; charset=\($0)" } ?? "text/plain") == "é")
        if charset == nil { #expect(try text(Data(hex: hex), nil) == "é") }
    }

    @Test(arguments: [
        ("utf-8", "c3", String.Encoding.utf8), ("utf-8", "e9", .utf8), ("utf-8", "eda080", .utf8),
        ("utf-8", "c080", .utf8),
        ("utf-16", "00d8", .utf16), ("utf-16le", "410042", .utf16LittleEndian), ("utf-32", "00001100", .utf32),
        ("us-ascii", "c3a9", .ascii), ("shift_jis", "81", .shiftJIS), ("euc-jp", "a4", .japaneseEUC),
        ("iso-2022-jp", "1b2442ff21", .iso2022JP), ("gbk", "d6", String.Encoding(rawValue: 0x8000_0632)),
        ("big5", "ff41", String.Encoding(rawValue: 0x8000_0A03)),
        ("euc-kr", "c9a1ff", String.Encoding(rawValue: 0x8000_0940)),
        ("iso-8859-7", "d2", String.Encoding(rawValue: 0x8000_0207)),
    ])
    func `bytes that are no text are an error, and never replaced`(
        _ charset: String,
        _ hex: String,
        _ encoding: String.Encoding
    ) {
        #expect(failedEncoding { try text(Data(hex: hex), "text/plain; charset=\(charset)") } == encoding)
    }

    @Test(arguments: [
        "x-klingon", "utf-7", "GBK//IGNORE", "UTF-8//TRANSLIT", "../../evil", "iso-2022-kr", "hz-gb-2312", "437",
    ])
    func `a charset that is not known is an error with its name`(_ name: String) throws {
        let error = #expect(throws: SessionError.self) { try text(Data("a".utf8), "text/plain; charset=\(name)") }
        guard case .responseSerializationFailed(.unsupportedCharset(name))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(try #require(error))".contains(name))
        #expect(try text(Data("a".utf8), "text/plain; charset=gbk") == "a")
    }

    @Test(arguments: [
        (String.Encoding.isoLatin1, "93e9", "\u{93}é"), (.windowsCP1252, "93e9", "“é"), (.utf8, "c3a9", "é"),
        (.shiftJIS, "93fa", "日"), (.macOSRoman, "8e", "é"), (.nextstep, "41", "A"),
        (String.Encoding(rawValue: 0x8000_0632), "d6d0", "中"), (String.Encoding(rawValue: 0x8000_0421), "d6d0", "中"),
    ])
    func `an explicit encoding is taken literally, whatever the response says`(
        _ encoding: String.Encoding,
        _ hex: String,
        _ expected: String
    ) throws {
        let response = try response(contentType: "text/plain; charset=x-klingon")
        let text = try StringResponseSerializer(encoding: encoding)
            .serialize(request: nil, response: response, data: Data(hex: hex), error: nil)
        #expect(text == expected)
    }

    @Test(arguments: ["utf-8", "gbk", "utf-16be", "shift_jis"])
    func `a long text is read across the pieces of the conversion`(_ charset: String) throws {
        let character = ["utf-8": "e4b8ad", "gbk": "d6d0", "utf-16be": "4e2d", "shift_jis": "9286"][charset] ?? ""
        let data = Data(hex: String(repeating: character, count: 100_001))
        #expect(try text(data, "text/plain; charset=\(charset)") == String(repeating: "中", count: 100_001))
    }

    /// WHATWG's index of Big5: Taiwan's symbols, ETEN's kana, Hong Kong's characters, one of them of two code points.
    @Test(arguments: [
        ("a145", "‧"), ("a1e3", "～"), ("a3e1", "€"), ("c6e7", "ぁ"), ("f9d6", "碁"), ("8862", "Ê̄"), ("fea4", "孆"),
        ("41a145c6e742a1e3", "A‧ぁB～"), ("a4a4a145a4a4", "中‧中"),
    ])
    func `Big5 is read as in browsers`(_ hex: String, _ expected: String) throws {
        #expect(
            try text(Data(hex: hex), "text/plain; charset=big5").unicodeScalars.elementsEqual(expected.unicodeScalars)
        )
    }

    @Test(arguments: ["a4", "a1", "41a4", "a4a4a1", "ff41", "a1ff"])
    func `Big5 that ends within a character is an error`(_ hex: String) {
        let encoding = failedEncoding { try text(Data(hex: hex), "text/plain; charset=big5") }
        #expect(encoding == String.Encoding(rawValue: 0x8000_0A03))
    }

    private func text(_ data: Data, _ contentType: String?) throws -> String {
        try StringResponseSerializer()
            .serialize(request: nil, response: response(contentType: contentType), data: data, error: nil)
    }

    private func failedEncoding(_ body: () throws -> String) -> String.Encoding? {
        do {
            Issue.record("read as \(try body())")
            return nil
        } catch {
            return (error as? SessionError)?.failedStringEncoding
        }
    }
}
