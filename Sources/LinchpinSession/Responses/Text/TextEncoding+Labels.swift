internal import Foundation

extension TextEncoding {
    /// The encoding that a `charset` parameter names, without regard to case.
    ///
    /// Names mean what they mean in browsers (WHATWG Encoding §4.2), which is what servers are tested with: `gb2312` and
    /// `gbk` are GB18030, `shift_jis` is Windows' code page 932, `euc-kr` 949, `iso-8859-1` is windows-1252. One name
    /// differs: `us-ascii` is ASCII and no more, so that text in UTF-8 under that name is an error and no mojibake.
    ///
    /// Only the names of this table reach iconv(3): it would take suffixes and load files by what a server sends.
    init?(label: String) {
        let name = label.trimmingCharacters(in: .whitespaces).lowercased()
        guard let known = Self.byLabel[name] else { return nil }
        self = known
    }

    private static let byLabel: [String: TextEncoding] = {
        var labels: [String: TextEncoding] = [:]
        for (encoding, names) in aliases {
            for name in names.split(separator: " ") { labels[String(name)] = encoding }
        }
        for (part, encoding) in iso8859 {
            for name in ["iso-8859-\(part)", "iso8859-\(part)", "iso_8859-\(part)", "iso8859\(part)"] {
                labels[name] = encoding
            }
        }
        let codePages: [Int: TextEncoding] = [
            874: .windows874, 1250: .windows1250, 1251: .windows1251, 1252: .windows1252, 1253: .windows1253,
            1254: .windows1254, 1255: .windows1255, 1256: .windows1256, 1257: .windows1257, 1258: .windows1258,
        ]
        for (page, encoding) in codePages {
            for name in ["windows-\(page)", "cp\(page)", "x-cp\(page)"] { labels[name] = encoding }
        }
        return labels
    }()

    private static let aliases: [(TextEncoding, String)] = [
        (.utf8, "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"),
        (.utf16, "utf-16 utf16 unicode ucs-2 iso-10646-ucs-2 csunicode"),
        (.utf16LittleEndian, "utf-16le unicodefeff"),
        (.utf16BigEndian, "utf-16be unicodefffe"),
        (.utf32, "utf-32 utf32 ucs-4 iso-10646-ucs-4"),
        (.utf32LittleEndian, "utf-32le"),
        (.utf32BigEndian, "utf-32be"),
        (.ascii, "us-ascii ascii ansi_x3.4-1968 iso-ir-6 iso646-us"),
        (.windows1252, "iso-8859-1 iso8859-1 iso_8859-1 iso88591 iso_8859-1:1987 latin1 l1 iso-ir-100 cp819 ibm819"),
        (.isoLatin2, "iso-8859-2 iso8859-2 iso_8859-2 iso88592 iso_8859-2:1987 latin2 l2 iso-ir-101"),
        (.windows1254, "iso-8859-9 iso8859-9 iso_8859-9 iso88599 iso_8859-9:1989 latin5 l5 iso-ir-148"),
        (.windows874, "iso-8859-11 iso8859-11 iso_8859-11 iso885911 tis-620 dos-874"),
        (.gb18030, "gb18030 gbk gb2312 gb_2312 gb_2312-80 x-gbk cp936 ms936 windows-936 euc-cn chinese csgb2312"),
        (.big5, "big5 big5-hkscs big5-eten cn-big5 x-x-big5 csbig5 cp950 ms950 windows-950"),
        (.shiftJIS, "shift_jis shift-jis sjis x-sjis ms_kanji csshiftjis ms932 cp932 windows-31j windows-932"),
        (.japaneseEUC, "euc-jp eucjp x-euc-jp cseucpkdfmtjapanese"),
        (.iso2022JP, "iso-2022-jp csiso2022jp"),
        (.korean, "euc-kr euckr cseuckr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 cp949 uhc"),
        (.koi8R, "koi8-r koi8 koi koi8_r cskoi8r"),
        (.koi8U, "koi8-u koi8-ru"),
        (.ibm866, "ibm866 cp866 866 csibm866"),
        (.macRoman, "macintosh mac x-mac-roman csmacintosh"),
        (iso8859[5] ?? .ascii, "cyrillic iso-ir-144"),
        (iso8859[6] ?? .ascii, "arabic ecma-114 asmo-708"),
        (iso8859[7] ?? .ascii, "greek greek8 ecma-118 elot_928"),
        (iso8859[8] ?? .ascii, "hebrew visual iso-8859-8-i logical"),
        (iso8859[15] ?? .ascii, "latin9 latin-9 l9 iso_8859-15"),
    ]
}
