/// Reads Big5 as browsers do (WHATWG Encoding §12.1): Hong Kong's table, but for the symbols, which are those of Taiwan.
///
/// iconv has a table of each, and none of both. Taiwan's own gives private characters for kana and lacks Hong Kong's;
/// Hong Kong's lacks the euro sign and has other dots, tildes and strokes.
struct Big5Decoder: ~Copyable {
    private let symbols: IconvDecoder
    private let others: IconvDecoder

    /// Nil where the system lacks one of the tables.
    init?() {
        guard let symbols = IconvDecoder("BIG5", gaps: .refused),
            let others = IconvDecoder("BIG5-HKSCS", gaps: .refused)
        else { return nil }
        self.symbols = symbols
        self.others = others
    }

    /// The text; nil when the bytes are none, or end within a character.
    func text(of bytes: UnsafeRawBufferPointer) -> String? {
        var text = ""
        var start = 0
        while start < bytes.count {
            let isSymbols = Self.isSymbol(bytes[start])
            var end = start
            while end < bytes.count, bytes[end] < 0x80 || Self.isSymbol(bytes[end]) == isSymbols {
                end += bytes[end] < 0x80 ? 1 : 2
            }
            end = min(end, bytes.count)
            let run = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            guard let part = isSymbols ? symbols.text(of: run) : others.text(of: run) else { return nil }
            text += part
            start = end
        }
        return text
    }

    /// Whether a first byte is of the rows of symbols.
    private static func isSymbol(_ byte: UInt8) -> Bool { (0xA1...0xA3).contains(byte) }
}
