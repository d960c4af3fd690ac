internal import Foundation

/// The directives of a Cache-Control field (RFC 9111 §5.2), by their names in lower case; those without an argument
/// have an empty one.
struct CacheDirectives {
    private var arguments: [String: String] = [:]

    init(_ headers: HTTPHeaders) {
        for directive in Self.split(headers.value(for: "Cache-Control") ?? "") {
            let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].trimmingCharacters(in: .whitespaces).lowercased()
            let argument = parts.count > 1 ? parts[1].trimmingCharacters(in: .init(charactersIn: " \t\"")) : ""
            // Of two that contradict each other the shorter life counts, which a number or text cannot tell here.
            arguments[name] = arguments[name] == nil || arguments[name] == argument ? argument : "0"
        }
        // RFC 9111 §5.4: what HTTP/1.0 says in its place.
        if headers.value(for: "Cache-Control") == nil,
            headers.value(for: "Pragma")?.lowercased().contains("no-cache") == true
        {
            arguments["no-cache"] = ""
        }
    }

    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// A number of seconds; 0 for an argument that is none (RFC 9111 §4.2.1), nil where the directive is not there.
    func seconds(_ name: String) -> TimeInterval? {
        guard let argument = arguments[name] else { return nil }
        guard !argument.isEmpty, argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        // RFC 9111 §1.2.2: more than this is this.
        return min(TimeInterval(argument) ?? 0, 2_147_483_648)
    }

    /// The parts between commas that are not within quotes.
    private static func split(_ text: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
