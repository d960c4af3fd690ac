internal import CLibcurl
internal import Foundation

extension HTTPHeaders {
    /// For how many seconds the server wants to be left alone, by its `Retry-After` (RFC 9110 §10.2.3); nil where it
    /// says nothing that can be read.
    ///
    /// - Parameters:
    ///   - now: what a date is counted from.
    func retryAfter(now: Date) -> TimeInterval? {
        values(for: "Retry-After").lazy.compactMap { value -> TimeInterval? in
            let value = value.trimmingCharacters(in: .whitespaces)
            // More digits than a number holds are a long time too.
            if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return TimeInterval(value) }
            return Date(httpDate: value).map { Swift.max($0.timeIntervalSince(now), 0) }
        }.first
    }
}

extension Date {
    /// The moment of an HTTP date in any of its three forms (RFC 9110 §5.6.7), as libcurl reads it; nil for other
    /// text.
    init?(httpDate text: String) {
        let seconds = curl_getdate(text, nil)
        guard seconds != -1 else { return nil }
        self.init(timeIntervalSince1970: TimeInterval(seconds))
    }
}
