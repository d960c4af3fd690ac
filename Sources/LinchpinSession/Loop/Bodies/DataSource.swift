internal import Foundation

/// A body in memory.
final class DataSource: BodySource {
    private let data: Data
    private var offset = 0

    init(_ data: Data) { self.data = data }

    var length: Int64? { Int64(data.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyPortion {
        let count = min(buffer.count, data.count - offset)
        guard count > 0, let target = buffer.bindMemory(to: UInt8.self).baseAddress else { return .end }
        let start = data.startIndex + offset
        data.copyBytes(to: target, from: start..<(start + count))
        offset += count
        return .bytes(count)
    }

    func rewind() { offset = 0 }
}
