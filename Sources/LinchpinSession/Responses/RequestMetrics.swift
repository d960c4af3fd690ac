public import Foundation
public import LinchpinTrust

/// What one transfer took, and over what it went.
///
/// Times are in seconds and of the last transfer of a request; a redirect makes several of it, and only
/// ``redirectCount`` tells of the earlier ones. A phase that did not happen, such as the connecting of a reused
/// connection, is nil. The phases follow one another: their sum is the time to the first byte.
public struct RequestMetrics: Sendable {
    /// From the start of the request until the transfer began: waiting for the loop and for a free connection.
    public var queue: TimeInterval?
    /// Looking up the host's name; nil on a reused connection.
    public var nameLookup: TimeInterval?
    /// Connecting to the server or the proxy, the proxy's tunnel included; nil on a reused connection.
    public var connect: TimeInterval?
    /// The TLS handshake; nil without TLS and on a reused connection.
    public var tls: TimeInterval?
    /// From the ready connection until the first byte of the response.
    public var firstByte: TimeInterval?
    /// From the start of the request to its end.
    public var total: TimeInterval

    /// The bytes of the request's header section, as libcurl counts them.
    public var requestHeaderBytesSent: Int64
    /// The bytes of the request's body that were sent.
    public var requestBodyBytesSent: Int64
    /// The bytes of the response's header sections.
    public var responseHeaderBytesReceived: Int64
    /// The bytes of the response's body that were received, before they were decompressed.
    public var responseBodyBytesReceived: Int64

    /// The protocol's name in ALPN (RFC 7301): `http/1.1` or `h2`; `http/1.0` for that version. Nil without a response.
    public var networkProtocolName: String?
    /// Whether the connection was there before the request.
    public var isReusedConnection: Bool
    /// The TLS version in OpenSSL's words, such as `TLSv1.3`; nil without TLS.
    public var tlsVersion: String?
    /// The cipher suite in OpenSSL's words, such as `TLS_AES_256_GCM_SHA384`; nil without TLS.
    public var tlsCipher: String?
    /// The numeric address and port of the peer, which is the proxy where there is one; nil without a connection.
    public var remoteAddress: String?
    /// What the server sent in its handshake, its own certificate first; empty without TLS.
    public var peerCertificates: [Certificate]
    /// How many redirects were followed before this transfer.
    public var redirectCount: Int

    /// Makes metrics; what is not given did not happen.
    public init(
        queue: TimeInterval? = nil,
        nameLookup: TimeInterval? = nil,
        connect: TimeInterval? = nil,
        tls: TimeInterval? = nil,
        firstByte: TimeInterval? = nil,
        total: TimeInterval = 0,
        requestHeaderBytesSent: Int64 = 0,
        requestBodyBytesSent: Int64 = 0,
        responseHeaderBytesReceived: Int64 = 0,
        responseBodyBytesReceived: Int64 = 0,
        networkProtocolName: String? = nil,
        isReusedConnection: Bool = false,
        tlsVersion: String? = nil,
        tlsCipher: String? = nil,
        remoteAddress: String? = nil,
        peerCertificates: [Certificate] = [],
        redirectCount: Int = 0
    ) {
        self.queue = queue
        self.nameLookup = nameLookup
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.total = total
        self.requestHeaderBytesSent = requestHeaderBytesSent
        self.requestBodyBytesSent = requestBodyBytesSent
        self.responseHeaderBytesReceived = responseHeaderBytesReceived
        self.responseBodyBytesReceived = responseBodyBytesReceived
        self.networkProtocolName = networkProtocolName
        self.isReusedConnection = isReusedConnection
        self.tlsVersion = tlsVersion
        self.tlsCipher = tlsCipher
        self.remoteAddress = remoteAddress
        self.peerCertificates = peerCertificates
        self.redirectCount = redirectCount
    }
}
