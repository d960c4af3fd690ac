internal import Foundation

/// Keeps the body in memory.
final class DataSink: BodySink {
    @exclusivity(unchecked) private var data = Data()
    private let onHead: (@Sendable (ResponseHead) -> Void)?

    init(onHead: (@Sendable (ResponseHead) -> Void)?) { self.onHead = onHead }

    func begin(_ head: () -> ResponseHead?) {
        guard let onHead, let head = head() else { return }
        onHead(head)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // A small body comes at once.
        if data.isEmpty { data = Data(bytes) } else { data.append(contentsOf: bytes) }
        return true
    }

    func receive(all body: Data) { data = body }

    func end(_ outcome: inout ExchangeOutcome) {
        if outcome.error == nil { outcome.data = data }
    }
}
