/// Bytes that came and were not yet taken; what was taken is given back when the next ones come.
struct ReceivedBytes {
    private var bytes: [UInt8] = []
    private var taken = 0

    var count: Int { bytes.count - taken }

    mutating func append(_ more: some Collection<UInt8>) {
        bytes.removeFirst(taken)
        taken = 0
        bytes.append(contentsOf: more)
    }

    func hasPrefix(_ text: StaticString) -> Bool { has(text, at: taken) }

    /// So many of the first bytes as there are.
    mutating func take(atMost count: Int) -> ArraySlice<UInt8> {
        let slice = bytes[taken...].prefix(count)
        taken += slice.count
        return slice
    }

    /// The bytes up to a mark, which goes with them; nil when it has not come.
    mutating func take(upTo mark: StaticString) -> ArraySlice<UInt8>? {
        for index in bytes[taken...].indices where bytes[index] == mark.utf8Start[0] && has(mark, at: index) {
            let slice = bytes[taken..<index]
            taken = index + mark.utf8CodeUnitCount
            return slice
        }
        return nil
    }

    private func has(_ text: StaticString, at index: Int) -> Bool {
        text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }
}
