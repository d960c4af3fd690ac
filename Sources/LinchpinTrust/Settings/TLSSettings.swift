internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// How TLS is spoken: versions, ciphers, groups. OpenSSL checks each of them when a value is made.
///
/// ```swift
/// let settings = try TLSSettings(minimumVersion: .v1_3, groups: ["X25519", "P-256"])
/// ```
///
/// What is left out is OpenSSL's own choice, as its configuration file has it. Those of a session apply to servers and to
/// HTTPS proxies on the way there; a host that has some of its own is spoken to by these, whichever of both it is.
public struct TLSSettings: Sendable {
    /// A version of TLS that is worth speaking.
    public enum Version: Int, Sendable, Hashable, Comparable {
        /// RFC 5246
        case v1_2
        /// RFC 8446
        case v1_3

        /// Whether the left one is older.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }

        fileprivate var number: Int32 { self == .v1_2 ? TLS1_2_VERSION : TLS1_3_VERSION }
    }

    /// Which protocols are offered for what comes over TLS, by ALPN (RFC 7301).
    public enum ApplicationProtocols: String, Sendable, Hashable {
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2, and HTTP/1.1 for a server that does not agree to it.
        case http2
        /// None, for servers that cannot bear the extension: HTTP/1.1 is spoken.
        case notOffered
    }

    /// The oldest version that is spoken.
    public let minimumVersion: Version
    /// The newest.
    public let maximumVersion: Version
    /// The ciphers of TLS 1.2, in order; nil for OpenSSL's.
    public let ciphers: [String]?
    /// The cipher suites of TLS 1.3, in order; nil for OpenSSL's.
    public let cipherSuites: [String]?
    /// The groups of the key exchange, in order; nil for OpenSSL's.
    public let groups: [String]?
    /// SSL_CTX_set_security_level(3); nil for OpenSSL's, which is 2 on Debian.
    public let securityLevel: Int?
    /// What is offered by ALPN; nil for what the session's own HTTP version is.
    public let applicationProtocols: ApplicationProtocols?
    /// Whether TLS sessions are kept and resumed.
    public let usesSessionTickets: Bool
    /// Where the secrets of every connection are written; nil for nowhere.
    public let keyLogFile: String?
    let keyLog: KeyLog?

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - minimumVersion: the oldest version that is spoken, TLS 1.2 by default.
    ///   - maximumVersion: the newest, TLS 1.3 by default.
    ///   - ciphers: OpenSSL's names of ciphers for TLS 1.2, such as `ECDHE-RSA-AES128-GCM-SHA256`, in order. Only those
    ///     by which a server proves itself with a certificate, and which encrypt; no keywords.
    ///   - cipherSuites: names of cipher suites for TLS 1.3, such as `TLS_AES_128_GCM_SHA256`, in order.
    ///   - groups: names of groups, such as `X25519` or `P-256`, in order.
    ///   - securityLevel: 1 to 5, see SSL_CTX_set_security_level(3): how strong keys and signatures have to be, those
    ///     of the server's chain included. The chain is judged at level 2 or above whatever is said here.
    ///   - applicationProtocols: what a server is offered by ALPN, in place of the session's HTTP version; nil, the
    ///     default, leaves it to that. Streams, which go over HTTP/1.1, offer no HTTP/2 all the same.
    ///   - usesSessionTickets: whether TLS sessions are kept and resumed, true by default.
    ///   - keyLogFile: the path of a file to which the secrets of every connection are appended, in the format of
    ///     `SSLKEYLOGFILE`; nil, the default, for none.
    ///     > Warning: Whoever has the file can read every connection.
    /// - Throws: ``TrustError`` with code `malformedTLSSettings`, naming the item, or `unreadableFile` when the key log
    ///   cannot be written.
    public init(
        minimumVersion: Version = .v1_2,
        maximumVersion: Version = .v1_3,
        ciphers: [String]? = nil,
        cipherSuites: [String]? = nil,
        groups: [String]? = nil,
        securityLevel: Int? = nil,
        applicationProtocols: ApplicationProtocols? = nil,
        usesSessionTickets: Bool = true,
        keyLogFile: String? = nil
    ) throws(TrustError) {
        self.minimumVersion = minimumVersion
        self.maximumVersion = maximumVersion
        self.ciphers = ciphers
        self.cipherSuites = cipherSuites
        self.groups = groups
        self.securityLevel = securityLevel
        self.applicationProtocols = applicationProtocols
        self.usesSessionTickets = usesSessionTickets
        self.keyLogFile = keyLogFile
        keyLog = try keyLogFile.map { path throws(TrustError) in try KeyLog(path: path) }
        try TLSSettingsCheck(settings: self).run()
    }

    /// Equal for equal settings; connections are shared only under equal tags. A digest, since a path may be any text.
    package var tag: String {
        let digest = SHA256.digest(Data(text.utf8))
        // Without SHA-256 no two settings may have the same tag.
        return digest.isEmpty ? UUID().uuidString : digest.base64EncodedString()
    }

    /// Everything that is said.
    private var text: String {
        let lists = [ciphers, cipherSuites, groups].map { $0?.joined(separator: ":") ?? "-" }
        let others =
            "\(minimumVersion)/\(maximumVersion)/\(securityLevel.map(String.init) ?? "-")/\(usesSessionTickets)"
        return ([others, applicationProtocols?.rawValue ?? "-"] + lists + [keyLogFile ?? "-"]).joined(separator: "/")
    }

    /// Applies them to an `SSL_CTX *`.
    ///
    /// - Returns: false when OpenSSL refused; the connection must then not be made.
    package func apply(toContext context: UnsafeMutableRawPointer) -> Bool {
        let context = OpaquePointer(context)
        guard clinchpin_SSL_CTX_set_min_proto_version(context, minimumVersion.number) == 1,
            clinchpin_SSL_CTX_set_max_proto_version(context, maximumVersion.number) == 1
        else { return false }
        if let securityLevel { SSL_CTX_set_security_level(context, Int32(securityLevel)) }
        if let ciphers, SSL_CTX_set_cipher_list(context, ciphers.joined(separator: ":")) != 1 { return false }
        if let cipherSuites, SSL_CTX_set_ciphersuites(context, cipherSuites.joined(separator: ":")) != 1 {
            return false
        }
        if let groups {
            // SSL_CTX_set1_groups_list(3), a macro; it copies the text.
            var text = Array(groups.joined(separator: ":").utf8CString)
            guard SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, &text) == 1 else { return false }
        }
        if !usesSessionTickets {
            SSL_CTX_set_options(context, clinchpin_SSL_OP_NO_TICKET())
            // TLS 1.3 sends tickets all the same; nobody is told of them.
            _ = clinchpin_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
        }
        return true
    }
}

extension TLSSettings: Hashable {
    /// Whether both say the same.
    public static func == (left: TLSSettings, right: TLSSettings) -> Bool { left.text == right.text }

    /// Hashes everything that is said.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
