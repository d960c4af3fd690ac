public import Foundation
internal import LinchpinTrust

/// The time in which a certificate is valid.
public struct Validity: Sendable, Hashable {
    /// The first moment.
    public let notBefore: Date
    /// The last second.
    public let notAfter: Date

    private static let day: TimeInterval = 86_400

    /// From one moment to another; the second may lie before the first, for certificates that are never valid.
    public init(from notBefore: Date, to notAfter: Date) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// From a day ago for 30 days from now.
    public static var `default`: Validity { lasting(30 * day) }

    /// Ended a day ago.
    public static var expired: Validity { relative(from: -30 * day, to: -day) }

    /// Begins in a day.
    public static var notYetValid: Validity { relative(from: day, to: 30 * day) }

    /// From a day ago until so many seconds from now.
    public static func lasting(_ seconds: TimeInterval) -> Validity { relative(from: -day, to: seconds) }

    /// Whether a moment lies within, the second of ``notAfter`` included.
    public func contains(_ date: Date) -> Bool { notBefore <= date && !notAfter.isOver(at: date) }

    private static func relative(from start: TimeInterval, to end: TimeInterval) -> Validity {
        let now = Date()
        return Validity(from: now.addingTimeInterval(start), to: now.addingTimeInterval(end))
    }
}
