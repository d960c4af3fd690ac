internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// One block of a PEM text (RFC 7468): its label and its decoded content.
struct PEMBlock {
    let label: String
    /// The lines before an empty one, which encrypted keys of an old form have; else empty.
    let header: String
    let content: Data

    /// A text in which a block is broken; the reason has its number, counted from 1.
    struct Malformed: Error {
        let reason: String
    }

    /// The blocks of a text, in its order; empty when it has none.
    ///
    /// OpenSSL passes over what it cannot read and goes on with the next block. Here the lines that begin and end
    /// blocks are found first, so that no block is lost.
    static func blocks(of text: Data) throws(Malformed) -> [PEMBlock] {
        let lines = try normalized(text).split(separator: 0x0A, omittingEmptySubsequences: false)
        var blocks: [PEMBlock] = []
        var start: Int?
        for (index, line) in lines.enumerated() {
            if contains(line, "-----BEGIN ") {
                guard start == nil else { throw broken(blocks.count + 1) }
                start = index
            }
            guard contains(line, "-----END ") else { continue }
            guard let first = start,
                let block = read(Array(lines[first...index].joined(separator: [0x0A])) + [0x0A])
            else { throw broken(blocks.count + 1) }
            blocks.append(block)
            start = nil
        }
        guard start == nil else { throw broken(blocks.count + 1) }
        return blocks
    }

    private static func broken(_ number: Int) -> Malformed {
        Malformed(
            reason: "PEM block \(number) is broken: each block needs its BEGIN and END lines, alone on their lines, "
                + "and nothing but Base64 between them"
        )
    }

    /// Without a byte order mark, with line feeds only.
    private static func normalized(_ text: Data) throws(Malformed) -> [UInt8] {
        var bytes = [UInt8](text)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw Malformed(reason: "the text is UTF-16; save the PEM file as ASCII or UTF-8")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte != 0x0D {
                result.append(byte)
            } else if index + 1 == bytes.count || bytes[index + 1] != 0x0A {
                result.append(0x0A)
            }
        }
        return result
    }

    private static func contains(_ line: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            guard line.count >= word.count else { return false }
            return (line.startIndex...(line.endIndex - word.count)).contains { start in
                line[start..<(start + word.count)].elementsEqual(word)
            }
        }
    }

    /// The block that the lines are; nil when OpenSSL finds none in them.
    private static func read(_ lines: [UInt8]) -> PEMBlock? {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        return lines.withUnsafeBytes { bytes in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            return next(from: bio)
        }
    }

    private static func next(from bio: OpaquePointer) -> PEMBlock? {
        var label: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var content: UnsafeMutablePointer<UInt8>?
        var length = 0
        guard PEM_read_bio(bio, &label, &header, &content, &length) == 1 else { return nil }
        defer {
            CRYPTO_free(label, nil, 0)
            CRYPTO_free(header, nil, 0)
        }
        let data = Data(takingOpenSSL: content, length: length) ?? Data()
        return PEMBlock(
            label: label.map { String(cString: $0) } ?? "",
            header: header.map { String(cString: $0) } ?? "",
            content: data
        )
    }
}
