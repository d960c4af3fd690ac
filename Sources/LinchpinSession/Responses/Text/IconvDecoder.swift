internal import Foundation
internal import Glibc

/// One conversion of iconv(3) to UTF-8.
struct IconvDecoder: ~Copyable {
    private let descriptor: iconv_t
    private let gaps: TextEncoding.Gaps

    /// Nil where the system has no tables for the encoding, which some keep in a package of their own.
    init?(_ name: String, gaps: TextEncoding.Gaps) {
        guard let descriptor = iconv_open("UTF-8", name), descriptor != iconv_t(bitPattern: -1) else { return nil }
        self.descriptor = descriptor
        self.gaps = gaps
    }

    deinit { iconv_close(descriptor) }

    /// The text; nil when the bytes are none, or end within a character.
    func text(of bytes: UnsafeRawBufferPointer) -> String? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 2)
        // iconv takes a pointer to variable bytes for historical reasons; it does not write through it.
        var input = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
        var left = bytes.count
        while left > 0 {
            if convert(&input, &left, into: &output) { continue }
            guard errno == EILSEQ, let byte = input.map({ UInt8(bitPattern: $0.pointee) }),
                let stand = stand(for: byte)
            else { return nil }
            output.append(contentsOf: String(stand).utf8)
            input = input?.successor()
            left -= 1
        }
        // A null input writes what waits for a character that might have combined with it.
        var nothing: UnsafeMutablePointer<CChar>?
        var none = 0
        guard convert(&nothing, &none, into: &output) else { return nil }
        return String(decoding: output, as: UTF8.self)
    }

    /// Converts as much as there is; false with `errno` at bytes that are no character.
    private func convert(
        _ input: inout UnsafeMutablePointer<CChar>?,
        _ left: inout Int,
        into output: inout [UInt8]
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { chunk in
            while true {
                var end = chunk.baseAddress
                var room = chunk.count
                let result = iconv(descriptor, &input, &left, &end, &room)
                let failure = errno
                output.append(contentsOf: UnsafeRawBufferPointer(chunk)[..<(chunk.count - room)])
                if result != -1 { return true }
                guard failure == E2BIG else {
                    errno = failure
                    return false
                }
            }
        }
    }

    private func stand(for byte: UInt8) -> Character? {
        switch gaps {
        case .refused: nil
        case .controls: (0x80...0x9F).contains(byte) ? Character(Unicode.Scalar(byte)) : nil
        case .euro: byte == 0x80 ? "€" : nil
        }
    }
}
