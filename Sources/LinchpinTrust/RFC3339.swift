internal import Foundation

extension Date {
    /// The moment in UTC to the second, such as `2030-01-31T12:00:00Z` (RFC 3339).
    package var rfc3339: String {
        formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false).timeZone(separator: .omitted))
    }
}
