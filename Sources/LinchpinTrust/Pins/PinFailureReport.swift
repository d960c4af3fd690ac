public import Foundation

/// A server whose validated chain has none of the pinned keys, in the form in which TrustKit reports it.
///
/// Encode it as JSON and post it to whoever collects such reports; collectors for TrustKit read it:
///
/// ```swift
/// let handler = PinFailureHandler(queue: reports) { report in
///     var report = report
///     report.applicationIdentifier = "com.example.app"
///     let body = try? JSONEncoder().encode(report)
/// }
/// ```
///
/// It has the server's certificates and the policy, and nothing of the request.
public struct PinFailureReport: Sendable {
    /// The program, `N/A` unless it is set.
    public var applicationIdentifier = "N/A"
    /// The program's version, `N/A` unless it is set.
    public var applicationVersion = "N/A"
    /// The system, `LINUX` unless it is set.
    public var platform = "LINUX"
    /// The system's version.
    public var platformVersion = ProcessInfo.processInfo.operatingSystemVersionString
    /// What tells installations of the program apart, `N/A` unless it is set.
    public var vendorIdentifier = "N/A"
    /// When the server was judged.
    public let date: Date
    /// The host that was asked for.
    public let host: String
    /// Its port; nil, reported as 0, where it is not known.
    public let port: Int?
    /// The name in the policy: the host's, or what follows the asterisks of a wildcard.
    public let notedHost: String
    /// Whether the policy is a wildcard's.
    public let includesSubdomains: Bool
    /// Whether the server was refused.
    public let isEnforced: Bool
    /// The chain that was validated, leaf first; empty where no chain leads to a pinned key and none was asked for.
    public let validatedChain: [Certificate]
    /// The pins that would have been accepted.
    public let pins: [PublicKeyPin]
    /// Until when the pins are in force; nil for pins without an end.
    public let pinExpiration: Date?

    init(
        trust: ServerTrust,
        validatedChain: [Certificate],
        pins: [PublicKeyPin],
        pinExpiration: Date?,
        isEnforced: Bool
    ) {
        let pattern = trust.pattern.flatMap { try? HostPattern($0) }
        date = trust.date
        host = trust.host
        port = trust.port
        notedHost = pattern?.name ?? trust.host
        if case .exact? = pattern?.hosts { includesSubdomains = false } else { includesSubdomains = pattern != nil }
        self.isEnforced = isEnforced
        self.validatedChain = validatedChain
        self.pins = pins
        self.pinExpiration = pinExpiration
    }
}

extension PinFailureReport: Encodable {
    private enum CodingKeys: String, CodingKey {
        case applicationIdentifier = "app-bundle-id"
        case applicationVersion = "app-version"
        case platform = "app-platform"
        case platformVersion = "app-platform-version"
        case vendorIdentifier = "app-vendor-id"
        case library = "trustkit-version"
        case date = "date-time"
        case host = "hostname"
        case port
        case notedHost = "noted-hostname"
        case includesSubdomains = "include-subdomains"
        case isEnforced = "enforce-pinning"
        case validatedChain = "validated-certificate-chain"
        case pins = "known-pins"
        case result = "validation-result"
        case pinExpiration = "known-pins-expiration-date"
    }

    /// TSKTrustEvaluationFailedNoMatchingPin: nothing else is reported.
    private static let noMatchingPin = 1

    /// Writes TrustKit's fields, whatever the encoder's strategies for dates and keys of its own.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(applicationIdentifier, forKey: .applicationIdentifier)
        try fields.encode(applicationVersion, forKey: .applicationVersion)
        try fields.encode(platform, forKey: .platform)
        try fields.encode(platformVersion, forKey: .platformVersion)
        try fields.encode(vendorIdentifier, forKey: .vendorIdentifier)
        try fields.encode("Linchpin", forKey: .library)
        try fields.encode(date.rfc3339, forKey: .date)
        try fields.encode(host, forKey: .host)
        try fields.encode(port ?? 0, forKey: .port)
        try fields.encode(notedHost, forKey: .notedHost)
        try fields.encode(includesSubdomains, forKey: .includesSubdomains)
        try fields.encode(isEnforced, forKey: .isEnforced)
        try fields.encode(validatedChain.map(\.pem), forKey: .validatedChain)
        try fields.encode(pins.map { "pin-sha256=\"\($0.digest.base64EncodedString())\"" }, forKey: .pins)
        try fields.encode(Self.noMatchingPin, forKey: .result)
        try fields.encodeIfPresent(
            pinExpiration.map { String($0.rfc3339.prefix(10)) },
            forKey: .pinExpiration
        )
    }
}
