/// How far the transfer of a body is.
public struct TransferProgress: Hashable, Sendable {
    /// How many bytes have gone; of a response, after its content coding was undone.
    public let completedUnitCount: Int64
    /// How many there are; nil where that is not known before the end.
    public let totalUnitCount: Int64?

    /// Makes a progress.
    public init(completedUnitCount: Int64, totalUnitCount: Int64?) {
        self.completedUnitCount = completedUnitCount
        self.totalUnitCount = totalUnitCount
    }

    /// From 0 to 1; 0 where the total is not known.
    public var fractionCompleted: Double {
        guard let totalUnitCount else { return 0 }
        return totalUnitCount == 0 ? 1 : Double(completedUnitCount) / Double(totalUnitCount)
    }
}
