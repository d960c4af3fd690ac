internal import Foundation
internal import LinchpinTrust

/// A line of `linchpin evaluate --batch`: whatever it holds, it has one answer, a line of JSON.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBatch(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let line = Data(UnsafeBufferPointer(start: bytes, count: count)).filter { $0 != 0x0A }
    let answer = EvaluateBatch(profile: .webPKI).answer(to: .bytes(line))
    let text = answer.line
    precondition(text.last == 0x0A && text.dropLast().allSatisfy { $0 != 0x0A }, "the answer is not one line")
    let members = (try? JSONSerialization.jsonObject(with: text)) as? [String: Any]
    precondition(members?["trusted"] as? Bool == (answer.refusal == nil), "the answer does not say what was decided")
    return 0
}
