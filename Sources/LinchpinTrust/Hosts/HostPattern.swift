/// A key of the host table: one host, with or without a port, or all hosts below a name.
package struct HostPattern: Hashable, Sendable {
    /// Which hosts.
    package enum Hosts: Hashable, Sendable {
        /// One host: `api.example.com`, `10.0.0.1`, `[::1]`.
        case exact(ReferenceIdentity)
        /// `*.example.com`: exactly one label more than the name.
        case oneLabelBelow(String)
        /// `**.example.com`: any number of labels more than the name, or none.
        case anyDepthBelow(String)
    }

    package let hosts: Hosts
    /// The only port that is meant, of one host; nil for every port.
    package let port: Int?

    /// Reads a pattern.
    ///
    /// - Throws: ``TrustError`` with code `malformedHostPattern`, naming the pattern and the remedy.
    package init(_ text: String) throws(TrustError) {
        try Self.refuseOtherParts(of: text)
        let (host, portText) = Self.split(text)
        let port = try portText.map { digits throws(TrustError) in try Self.port(digits, in: text) }
        guard host.utf8.contains(UInt8(ascii: "*")) else {
            hosts = .exact(try Self.identity(host, in: text))
            self.port = port
            return
        }
        guard port == nil else {
            throw Self.malformed(text, "a port goes with one host, not with a wildcard; leave it out")
        }
        hosts = try Self.wildcard(host, in: text)
        self.port = nil
    }

    /// The name without asterisks and port: the host, or what the hosts are below.
    package var name: String {
        switch hosts {
        case .exact(let identity): identity.description
        case .oneLabelBelow(let parent), .anyDepthBelow(let parent): parent
        }
    }

    private static func refuseOtherParts(of text: String) throws(TrustError) {
        if text.isEmpty { throw malformed(text, "it is empty; give a host such as `api.example.com`") }
        if text.contains("://") { throw malformed(text, "it has a scheme; give the host alone") }
        if text.contains("/") || text.contains("\\") { throw malformed(text, "it has a path; give the host alone") }
        if text.contains("@") { throw malformed(text, "it has a user; give the host alone") }
        if text.contains("?") || text.contains("#") {
            throw malformed(text, "it has a query or a fragment; give the host alone")
        }
    }

    /// The host, and what follows the colon after it. Several colons without brackets are an IPv6 address.
    private static func split(_ text: String) -> (host: String, port: Substring?) {
        let bytes = text.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return (text, nil) }
        let host = String(text[..<colon])
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard isBracketed || bytes.firstIndex(of: UInt8(ascii: ":")) == colon else { return (text, nil) }
        return (host, text[bytes.index(after: colon)...])
    }

    private static func port(_ digits: Substring, in text: String) throws(TrustError) -> Int {
        let isDecimal = digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isDecimal, !digits.hasPrefix("0"), let port = Int(digits), port <= 65_535 else {
            throw malformed(text, "\"\(digits)\" is not a port; give a number from 1 to 65535, or no colon")
        }
        return port
    }

    private static func wildcard(_ host: String, in text: String) throws(TrustError) -> Hosts {
        if ["*", "**", "*.", "**."].contains(host) {
            throw malformed(
                text,
                "it would match every host; name the hosts, and say by allHostsMustBeEvaluated what becomes of others"
            )
        }
        let isDeep = host.hasPrefix("**.")
        let parent = String(host.dropFirst(isDeep ? 3 : 2))
        guard isDeep || host.hasPrefix("*."), !parent.utf8.contains(UInt8(ascii: "*")) else {
            throw malformed(
                text,
                "an asterisk stands once and is the whole first label: `*.example.com` for one label, "
                    + "`**.example.com` for any depth"
            )
        }
        guard case .dns(let name) = try identity(parent, in: text) else {
            throw malformed(text, "an IP address has no subdomains; give the address alone")
        }
        guard !PublicSuffix.contains(name) else {
            throw malformed(text, "anybody can have a host below the public suffix `\(name)`; give a name below it")
        }
        return isDeep ? .anyDepthBelow(name) : .oneLabelBelow(name)
    }

    private static func identity(_ host: String, in text: String) throws(TrustError) -> ReferenceIdentity {
        do {
            return try ReferenceIdentity(host: host)
        } catch {
            throw malformed(text, error.reason)
        }
    }

    private static func malformed(_ text: String, _ why: String) -> TrustError {
        TrustError(.malformedHostPattern, reason: "\"\(text)\" is not a host pattern: \(why)")
    }
}

extension HostPattern: CustomStringConvertible {
    /// The canonical spelling.
    package var description: String {
        switch hosts {
        case .exact(let identity):
            guard let port else { return identity.description }
            return identity.description.contains(":") ? "[\(identity)]:\(port)" : "\(identity):\(port)"
        case .oneLabelBelow(let parent): return "*.\(parent)"
        case .anyDepthBelow(let parent): return "**.\(parent)"
        }
    }
}
