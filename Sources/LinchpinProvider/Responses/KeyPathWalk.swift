internal import Foundation

/// A way through JSON by keys joined with dots, as key-value coding has it on Apple's systems.
struct KeyPathWalk {
    private let keys: [Substring]

    init(_ path: String) { keys = path.split(separator: ".", omittingEmptySubsequences: false) }

    /// What is at its end; nil when a key is missing. A key after an array is looked up in each element, and is
    /// `NSNull` where an element has none; elements that have no keys at all make it missing.
    func value(in json: Any) -> Any? { value(in: json, keys[...]) }

    private func value(in json: Any, _ keys: ArraySlice<Substring>) -> Any? {
        guard let key = keys.first else { return json }
        if let dictionary = json as? [String: Any] {
            return dictionary[String(key)].flatMap { value(in: $0, keys.dropFirst()) }
        }
        guard let array = json as? [Any], array.allSatisfy({ $0 is [String: Any] || $0 is [Any] }) else { return nil }
        return array.map { value(in: $0, keys) ?? NSNull() }
    }
}
