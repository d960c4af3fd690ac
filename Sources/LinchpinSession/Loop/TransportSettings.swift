internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import LinchpinTrust

/// What a configuration says about connections, checked once and in libcurl's terms; lives on the loop's thread.
struct TransportSettings: ~Copyable {
    private let configuration: SessionConfiguration
    /// Addresses in place of what the system says.
    private var resolutions = LineList()

    /// - Throws: ``SessionError`` `.urlRequestValidationFailed` for what cannot be.
    init(_ configuration: SessionConfiguration) throws(SessionError) {
        self.configuration = configuration
        try Self.validate(configuration)
        do {
            for override in configuration.resolution.overrides { try append(override) }
        } catch {
            throw error as? SessionError ?? .sessionTaskFailed(error: error)
        }
    }

    /// Sets what is the same for every transfer.
    func apply(to easy: EasyHandle) throws(CurlFailure) {
        let limits = configuration.connections
        try easy.set(CURLOPT_MAXAGE_CONN, Self.seconds(limits.idleAge))
        if let lifetime = limits.lifetime { try easy.set(CURLOPT_MAXLIFETIME_CONN, Self.seconds(lifetime)) }
        if let keepAlive = configuration.tcpKeepAlive {
            try easy.set(CURLOPT_TCP_KEEPALIVE, 1)
            try easy.set(CURLOPT_TCP_KEEPIDLE, Self.seconds(keepAlive.idle))
            try easy.set(CURLOPT_TCP_KEEPINTVL, Self.seconds(keepAlive.interval))
        }
        if let rate = configuration.rateLimits.receiving { try easy.set(CURLOPT_MAX_RECV_SPEED_LARGE, size: rate) }
        if let rate = configuration.rateLimits.sending { try easy.set(CURLOPT_MAX_SEND_SPEED_LARGE, size: rate) }
        try applyAddresses(to: easy)
    }

    /// Has libcurl look at the overrides: it forgets them with each transfer.
    func applyOverrides(to easy: EasyHandle) throws(CurlFailure) {
        guard resolutions.pointer != nil else { return }
        try check(clinchpin_easy_setopt_slist(easy.pointer, CURLOPT_RESOLVE, resolutions.pointer))
    }

    private func applyAddresses(to easy: EasyHandle) throws(CurlFailure) {
        let resolution = configuration.resolution
        switch resolution.ipVersion {
        case .any: break
        case .v4: try easy.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
        case .v6: try easy.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
        }
        try easy.set(CURLOPT_DNS_CACHE_TIMEOUT, Self.seconds(resolution.cacheTime))
        if let path = configuration.unixSocketPath { try easy.set(CURLOPT_UNIX_SOCKET_PATH, path) }
        if let interface = configuration.networkInterface { try easy.set(CURLOPT_INTERFACE, interface) }
    }

    private mutating func append(_ override: NameResolution.Override) throws {
        let identity: ReferenceIdentity
        do {
            identity = try ReferenceIdentity(host: override.host)
        } catch {
            throw Self.invalid("the overridden host \(override.host.debugDescription)", error.reason)
        }
        guard (1...65_535).contains(override.port), !override.addresses.isEmpty else {
            throw Self.invalid("the override for \(identity)", "it needs a port and an address")
        }
        var addresses: [String] = []
        for text in override.addresses {
            guard let address = IPAddress(text) else {
                throw Self.invalid("the override for \(identity)", "\(text.debugDescription) is no address")
            }
            addresses.append(address.octets.count == 4 ? "\(address)" : "[\(address)]")
        }
        // libcurl looks a host up as it stands in the URL, with the dot at its end if there is one.
        for host in ["\(identity)", "\(identity)."] {
            try resolutions.append("\(host):\(override.port):\(addresses.joined(separator: ","))")
        }
    }

    private static func validate(_ configuration: SessionConfiguration) throws(SessionError) {
        try configuration.proxies.validate()
        let times = [
            configuration.connections.idleAge, configuration.connections.lifetime, configuration.tcpKeepAlive?.idle,
            configuration.tcpKeepAlive?.interval,
        ]
        for time in times.compactMap({ $0 }) where !(time > 0) {
            throw .urlRequestValidationFailed(reason: .invalidTimeout(time))
        }
        guard configuration.resolution.cacheTime >= 0 else {
            throw .urlRequestValidationFailed(reason: .invalidTimeout(configuration.resolution.cacheTime))
        }
        let counts = [
            configuration.connections.total, configuration.maximumConnectionsPerHost,
            configuration.rateLimits.receiving, configuration.rateLimits.sending,
        ]
        for count in counts.compactMap({ $0 }) where count <= 0 {
            throw invalid("a limit of \(count)", "a limit is a positive number; nil is for none")
        }
        if let path = configuration.unixSocketPath {
            // sun_path with its NUL (unix(7)).
            guard !path.isEmpty, path.utf8.count < 108, !path.utf8.contains(0) else {
                throw invalid("the Unix socket's path", "it is empty or longer than 107 bytes")
            }
            guard configuration.proxies == .none else { throw invalid("the Unix socket", "there is a proxy as well") }
        }
        if let interface = configuration.networkInterface, interface.isEmpty || interface.utf8.contains(0) {
            throw invalid("the network interface", "it has no name")
        }
    }

    private static func invalid(_ what: String, _ why: String) -> SessionError {
        .urlRequestValidationFailed(reason: .invalidConfiguration(what, why: why))
    }

    /// Whole seconds, at least one where there is a fraction.
    private static func seconds(_ time: TimeInterval) -> Int {
        time < TimeInterval(Int32.max) ? Int(time.rounded(.up)) : Int(Int32.max)
    }
}
