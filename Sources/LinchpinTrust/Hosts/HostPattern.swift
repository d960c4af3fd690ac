/// A key of the host table: one host, or `*.` and a name, which stands for exactly one more label.
package enum HostPattern: Hashable, Sendable {
    case exact(ReferenceIdentity)
    case wildcard(parent: String)

    /// Reads a pattern.
    ///
    /// - Throws: ``TrustError`` with code `malformedHostPattern`, naming the pattern and the remedy.
    package init(_ text: String) throws(TrustError) {
        if text.contains("://") || text.contains("/") || text.contains("@") || text.contains("?") {
            throw Self.malformed(text, "give the host alone, without scheme, path, query or user")
        }
        guard text.contains("*") else {
            do {
                self = .exact(try ReferenceIdentity(host: text))
            } catch {
                throw Self.malformed(text, error.reason)
            }
            return
        }
        guard text.hasPrefix("*."), !text.dropFirst().contains("*") else {
            throw Self.malformed(text, "a wildcard is the whole first label, as in `*.example.com`, and stands once")
        }
        let parent: ReferenceIdentity
        do {
            parent = try ReferenceIdentity(host: String(text.dropFirst(2)))
        } catch {
            throw Self.malformed(text, error.reason)
        }
        guard case .dns(let name) = parent else { throw Self.malformed(text, "an IP address has no subdomains") }
        guard name.contains(".") else {
            throw Self.malformed(text, "it would match every host of a top-level domain")
        }
        self = .wildcard(parent: name)
    }

    private static func malformed(_ text: String, _ why: String) -> TrustError {
        TrustError(.malformedHostPattern, reason: "\"\(text)\" is not a host pattern: \(why)")
    }
}
