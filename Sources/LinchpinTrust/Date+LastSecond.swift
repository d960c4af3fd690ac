package import Foundation

/// Ends of validity are said in seconds and include the last one (RFC 5280 §4.1.2.5): whoever asks whether something is
/// still valid asks here, so that a handshake and what looks at its connection later agree.
extension Date {
    /// The first moment after the second in which this one lies.
    package var endOfSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down) + 1) }

    /// Whether what is valid until this moment, the whole second included, is not so any more; true for a time that is
    /// not a number.
    package func isOver(at now: Date) -> Bool { !(now < endOfSecond) }
}
