internal import Foundation

/// Reads lines of bytes from a descriptor, one at a time, without ever holding more than one and a chunk.
struct LineReader {
    /// Many times the longest chain that a TLS record layer lets through.
    static let longestLine = 16 << 20

    enum Line {
        /// Without its line feed; the last line may have had none.
        case bytes(Data)
        /// Passed over up to its line feed.
        case tooLong
    }

    /// The descriptor could not be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    private var waiting = Data()
    private var isAtEnd = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next line; nil at the end.
    mutating func next() throws(Failure) -> Line? {
        var searched = 0
        var isTooLong = false
        while true {
            if let feed = waiting.dropFirst(searched).firstIndex(of: 0x0A) {
                let line = Data(waiting[waiting.startIndex..<feed])
                waiting = Data(waiting[(feed + 1)...])
                return isTooLong || line.count > Self.longestLine ? .tooLong : .bytes(line)
            }
            if waiting.count > Self.longestLine {
                isTooLong = true
                waiting = Data()
            }
            if isAtEnd {
                guard isTooLong || !waiting.isEmpty else { return nil }
                defer { waiting = Data() }
                return isTooLong ? .tooLong : .bytes(waiting)
            }
            searched = waiting.count
            try fill()
        }
    }

    private mutating func fill() throws(Failure) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(description: "standard input: \(String(cString: strerror(errno)))") }
            isAtEnd = count == 0
            waiting.append(contentsOf: chunk[..<count])
            return
        }
    }
}
