package import Foundation

extension Date {
    /// The moment in UTC to the second, such as `2030-01-31T12:00:00Z` (RFC 3339).
    package var rfc3339: String {
        formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false).timeZone(separator: .omitted))
    }

    /// Reads a moment such as `2030-01-31T12:00:00Z` (RFC 3339 §5.6), with any offset; nil for anything else.
    ///
    /// A fraction of a second is left out, as certificates count whole seconds (RFC 5280 §4.1.2.5). A leap second,
    /// which POSIX time does not have, is nil too.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
            let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19]),
            hour < 24, minute < 60, second < 60,
            let offset = Self.offset(bytes[19...].withoutFraction())
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        // Foundation would roll the 30th of February over to March.
        guard parts.isValidDate(in: calendar), let local = calendar.date(from: parts) else { return nil }
        self = local.addingTimeInterval(-offset)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The seconds of `Z` or `+hh:mm`.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> TimeInterval? {
        if bytes.count == 1, let only = bytes.first { return only | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        let (start, sign) = (bytes.startIndex, bytes.first)
        guard bytes.count == 6, bytes[start + 3] == UInt8(ascii: ":"), let hours = number(bytes[start + 1..<start + 3]),
            let minutes = number(bytes[start + 4..<start + 6]), hours < 24, minutes < 60,
            sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        else { return nil }
        let seconds = TimeInterval(hours * 3600 + minutes * 60)
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}

extension ArraySlice<UInt8> {
    /// Without a leading point and the digits after it; as it is when no digit follows.
    fileprivate func withoutFraction() -> ArraySlice<UInt8> {
        guard first == UInt8(ascii: ".") else { return self }
        let rest = dropFirst().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return rest.startIndex > startIndex + 1 ? rest : self
    }
}
