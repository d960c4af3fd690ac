internal import Foundation

/// Hands the body on as it comes; where somebody has not read what came before, the transfer pauses.
final class ChunkSink: BodySink {
    private let chunks: ChunkDistributor
    private let onHead: (@Sendable (ResponseHead) -> Void)?

    init(_ chunks: ChunkDistributor, onHead: (@Sendable (ResponseHead) -> Void)?) {
        self.chunks = chunks
        self.onHead = onHead
    }

    func begin(_ head: () -> ResponseHead?) {
        guard let onHead, let head = head() else { return }
        onHead(head)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { chunks.offer { Data(bytes) } }

    func receive(all body: Data) { chunks.keep(body) }

    func end(_ outcome: inout ExchangeOutcome) {}
}
