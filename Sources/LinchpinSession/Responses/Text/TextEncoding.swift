internal import Foundation

/// A character encoding, and how iconv(3) of glibc names it.
struct TextEncoding: Sendable {
    /// What stands for the bytes that iconv's table leaves out, and browsers read all the same.
    enum Gaps: Sendable {
        /// Nothing: such a byte is an error.
        case refused
        /// In the code pages of Windows, the control of the same number for a byte from 0x80 through 0x9F.
        case controls
        /// In GBK, the euro sign for 0x80.
        case euro
    }

    /// iconv's name; nil for UTF-8, which Swift reads itself.
    let iconvName: String?
    /// Foundation's number for it.
    let encoding: String.Encoding
    let gaps: Gaps

    private init(_ iconvName: String?, _ encoding: String.Encoding, _ gaps: Gaps = .refused) {
        self.iconvName = iconvName
        self.encoding = encoding
        self.gaps = gaps
    }

    /// An encoding that Foundation knows by Core Foundation's number only.
    private init(_ iconvName: String, coreFoundation number: UInt, _ gaps: Gaps = .refused) {
        self.init(iconvName, String.Encoding(rawValue: 0x8000_0000 | number), gaps)
    }

    static let utf8 = TextEncoding(nil, .utf8)
    static let utf16BigEndian = TextEncoding("UTF-16BE", .utf16BigEndian)
    static let utf16LittleEndian = TextEncoding("UTF-16LE", .utf16LittleEndian)
    static let utf32BigEndian = TextEncoding("UTF-32BE", .utf32BigEndian)
    static let utf32LittleEndian = TextEncoding("UTF-32LE", .utf32LittleEndian)
    /// Of the order that its byte order mark says. Without one it is little-endian, as in browsers and on this machine;
    /// RFC 2781 §4.3 would have it big-endian, which no server means.
    static let utf16 = TextEncoding("UTF-16LE", .utf16)
    static let utf32 = TextEncoding("UTF-32LE", .utf32)
    static let ascii = TextEncoding("US-ASCII", .ascii)
    static let isoLatin1 = TextEncoding("ISO-8859-1", .isoLatin1)
    static let isoLatin2 = TextEncoding("ISO-8859-2", .isoLatin2)
    static let gb18030 = TextEncoding("GB18030", coreFoundation: 0x632, .euro)
    static let big5 = TextEncoding("BIG5-HKSCS", coreFoundation: 0xA03)
    static let shiftJIS = TextEncoding("CP932", .shiftJIS)
    static let japaneseEUC = TextEncoding("EUC-JP-MS", .japaneseEUC)
    static let iso2022JP = TextEncoding("ISO-2022-JP", .iso2022JP)
    static let korean = TextEncoding("CP949", coreFoundation: 0x940)
    static let koi8R = TextEncoding("KOI8-R", coreFoundation: 0xA02)
    static let koi8U = TextEncoding("KOI8-U", coreFoundation: 0xA08)
    static let ibm866 = TextEncoding("IBM866", coreFoundation: 0x419)
    static let macRoman = TextEncoding("MACINTOSH", .macOSRoman)
    static let windows874 = TextEncoding("CP874", coreFoundation: 0x41D, .controls)
    static let windows1250 = TextEncoding("CP1250", .windowsCP1250, .controls)
    static let windows1251 = TextEncoding("CP1251", .windowsCP1251, .controls)
    static let windows1252 = TextEncoding("CP1252", .windowsCP1252, .controls)
    static let windows1253 = TextEncoding("CP1253", .windowsCP1253, .controls)
    static let windows1254 = TextEncoding("CP1254", .windowsCP1254, .controls)
    static let windows1255 = TextEncoding("CP1255", coreFoundation: 0x505, .controls)
    static let windows1256 = TextEncoding("CP1256", coreFoundation: 0x506, .controls)
    static let windows1257 = TextEncoding("CP1257", coreFoundation: 0x507, .controls)
    static let windows1258 = TextEncoding("CP1258", coreFoundation: 0x508, .controls)
    /// ISO 8859-3 to 8859-16, without the parts that browsers read as another encoding or that do not exist.
    static let iso8859: [Int: TextEncoding] = [3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].reduce(into: [:]) { parts, part in
        parts[part] = TextEncoding("ISO-8859-\(part)", coreFoundation: 0x200 + UInt(part))
    }
}

extension TextEncoding {
    /// The encoding with Foundation's number; nil for one that iconv is not asked about.
    init?(_ encoding: String.Encoding) {
        guard let known = Self.byNumber[encoding.rawValue] else { return nil }
        self = known
    }

    /// Whether a byte order mark at the start is no part of the text.
    var isUnicode: Bool { iconvName?.hasPrefix("UTF-") ?? true }

    /// Whether it takes two of iconv's tables.
    var isBig5: Bool { encoding == Self.big5.encoding }

    /// What people call it.
    static func name(of encoding: String.Encoding) -> String {
        guard let known = TextEncoding(encoding) else { return encoding.description }
        return known.iconvName ?? "UTF-8"
    }

    private static let byNumber: [UInt: TextEncoding] = {
        let named: [TextEncoding] = [
            .utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian, .ascii,
            .isoLatin1, .isoLatin2, .gb18030, .big5, .shiftJIS, .japaneseEUC, .iso2022JP, .korean, .koi8R, .koi8U,
            .ibm866, .macRoman, .windows874, .windows1250, .windows1251, .windows1252, .windows1253, .windows1254,
            .windows1255, .windows1256, .windows1257, .windows1258,
        ]
        var numbers = (named + iso8859.values).reduce(into: [:]) { $0[$1.encoding.rawValue] = $1 }
        // Core Foundation has more than one number for some of them: GB 2312, GBK, code page 936 and EUC-CN; code pages
        // 950, 949 and 932; Big5-HKSCS; and its own for what Foundation numbers itself.
        let others: [UInt: TextEncoding] = [
            0x630: .gb18030, 0x631: .gb18030, 0x421: .gb18030, 0x930: .gb18030, 0x423: .big5, 0xA06: .big5,
            0x422: .korean, 0x640: .korean, 0x420: .shiftJIS, 0xA01: .shiftJIS, 0x920: .japaneseEUC,
            0x820: .iso2022JP, 0x201: .isoLatin1, 0x202: .isoLatin2, 0x500: .windows1252, 0x501: .windows1250,
            0x502: .windows1251, 0x503: .windows1253, 0x504: .windows1254,
        ]
        for (number, encoding) in others { numbers[0x8000_0000 | number] = encoding }
        return numbers
    }()
}
