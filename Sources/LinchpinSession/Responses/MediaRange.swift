internal import Foundation

/// A media type, or a range of them (RFC 9110 §12.5.1), without its parameters. Case does not count.
struct MediaRange: Sendable {
    let type: String
    let subtype: String

    /// Nil for a text that is not two tokens around a slash.
    init?(_ text: String) {
        let essence = text.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(\.isToken) else { return nil }
        (type, subtype) = (parts[0], parts[1])
    }

    /// Whether every media type is in it, also one that is not known.
    var isEverything: Bool { type == "*" && subtype == "*" }

    func contains(_ other: MediaRange) -> Bool {
        (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }
}
