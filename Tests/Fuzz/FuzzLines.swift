internal import Foundation

/// The reader of lines: what it returns is what was written, cut at the line feeds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLines(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // A pipe takes this much without a reader.
    let input = Data(UnsafeBufferPointer(start: bytes, count: min(count, 65_536)))
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0, "no pipe")
    defer { close(ends[0]) }
    let written = input.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    close(ends[1])
    precondition(written == input.count, "the pipe is too small")
    var lines: [Data] = []
    var reader = LineReader(descriptor: ends[0])
    while case .bytes(let line)? = try? reader.next() { lines.append(line) }
    var expected = input.split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
    if expected.last?.isEmpty == true { expected.removeLast() }
    precondition(lines == expected, "a line was lost or changed")
    return 0
}
