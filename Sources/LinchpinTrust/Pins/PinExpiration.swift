public import Foundation

/// Until when a set of pins is in force, and what happens to its hosts after that.
///
/// Pins that nobody renews lock everybody out when the server's keys change. There is no default for what happens
/// then: falling back keeps clients working that cannot be updated, refusing keeps out whoever waited for the day.
public struct PinExpiration: Hashable, Sendable {
    /// What happens to a host once its pins have expired.
    public enum Afterwards: Hashable, Sendable {
        /// The host is judged by the evaluator's roots and its name, as ``DefaultTrustEvaluator`` does it.
        case fallBackToDefaultValidation
        /// The host is refused with code `pinsExpired`.
        case refuse
    }

    /// The last second in which the pins are in force.
    public let date: Date
    /// What happens after it.
    public let afterwards: Afterwards

    /// Pins that are in force up to and including the second of `date`.
    public init(_ date: Date, afterwards: Afterwards) {
        self.date = date
        self.afterwards = afterwards
    }

    /// Pins that are in force up to a moment written as in RFC 3339, `2030-01-31T12:00:00Z`, or up to the first moment
    /// of a day in UTC, `2030-01-31`, as TrustKit and Android have it.
    ///
    /// - Throws: ``TrustError`` with code `malformedDate` for any other text, and for a day that no month has.
    public init(_ text: String, afterwards: Afterwards) throws(TrustError) {
        let moment = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        // Foundation reads more than it writes: February 30th, for one.
        guard let date = try? Date(moment, strategy: .iso8601), date.rfc3339 == moment else {
            throw TrustError(
                .malformedDate,
                reason: "\"\(text)\" is not a date: write `2030-01-31`, or `2030-01-31T12:00:00Z` in UTC"
            )
        }
        self.init(date, afterwards: afterwards)
    }

    /// Whether the pins are out of force.
    func isPast(at now: Date) -> Bool { date.isOver(at: now) }
}
