public import Foundation
internal import LinchpinTrust

/// Which requests go through which proxy.
///
/// ```swift
/// configuration.proxies = try Proxies(Proxy(host: "proxy.corp.example", port: 3128), except: ["corp.example"])
/// configuration.proxies = try Proxies(environment: ProcessInfo.processInfo.environment)
/// ```
public struct Proxies: Hashable, Sendable {
    /// No proxy, whatever the environment says.
    public static let none = Proxies(http: nil, https: nil)

    /// For requests to `http` URLs; nil for none.
    public var http: Proxy?
    /// For requests to `https` URLs; nil for none.
    public var https: Proxy?
    /// The hosts that are reached without a proxy.
    private var exclusions: [ProxyExclusion] = []

    /// One proxy for every request but some.
    ///
    /// - Parameters:
    ///   - proxy: the proxy.
    ///   - exclusions: the hosts that are reached without it, as in `NO_PROXY`: `*` for all, a name for that host and
    ///     the hosts below it (with a leading dot or without), an address, or a network such as `10.0.0.0/8`; each but
    ///     `*` and networks with a port if only that port is meant. A name is compared as it is spelled in URLs:
    ///     `localhost` does not stand for `127.0.0.1`.
    /// - Throws: ``SessionError`` `.urlRequestValidationFailed` for an exclusion that is none of these.
    public init(_ proxy: Proxy, except exclusions: [String] = []) throws(SessionError) {
        self.init(http: proxy, https: proxy)
        self.exclusions = try Self.read(exclusions)
    }

    /// The proxies that variables name, as curl reads them, at this moment and not later.
    ///
    /// `http_proxy` and `https_proxy`, else `all_proxy`, and `no_proxy` with its entries between commas or spaces. All
    /// are read in capitals too, where the small spelling is not there, but for `HTTP_PROXY`: a CGI program would take
    /// it from a request's `Proxy` field. An empty variable says no proxy.
    ///
    /// - Parameters:
    ///   - environment: the variables.
    /// - Throws: ``SessionError`` `.urlRequestValidationFailed` for a variable that cannot be read.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(SessionError) {
        func value(_ name: String, capitals: Bool = true) -> String? {
            environment[name] ?? (capitals ? environment[name.uppercased()] : nil)
        }
        func proxy(_ text: String?) throws(SessionError) -> Proxy? {
            guard let text = text ?? value("all_proxy"), !text.isEmpty else { return nil }
            return try Proxy(url: text)
        }
        http = try proxy(value("http_proxy", capitals: false))
        https = try proxy(value("https_proxy"))
        let excluded = (value("no_proxy") ?? "").split { $0 == "," || $0.isWhitespace }
        exclusions = try Self.read(excluded.map(String.init))
    }

    init(http: Proxy?, https: Proxy?) {
        self.http = http
        self.https = https
    }

    /// The proxy for a URL; nil for none.
    func proxy(for url: ParsedURL) -> Proxy? {
        guard let proxy = url.isSecure ? https : http else { return nil }
        return exclusions.contains { $0.matches(url.identity, port: url.port) } ? nil : proxy
    }

    /// - Throws: ``SessionError`` for a proxy that cannot be.
    func validate() throws(SessionError) {
        try http?.validate()
        try https?.validate()
    }

    private static func read(_ texts: [String]) throws(SessionError) -> [ProxyExclusion] {
        var exclusions: [ProxyExclusion] = []
        for text in texts {
            guard let exclusion = ProxyExclusion(text) else {
                throw .urlRequestValidationFailed(
                    reason: .unsupportedURL(text, why: "it is no host, address or network to reach without a proxy")
                )
            }
            exclusions.append(exclusion)
        }
        return exclusions
    }
}
