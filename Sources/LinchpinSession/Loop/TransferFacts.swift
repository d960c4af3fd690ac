internal import CLibcurl
internal import CLinchpin
internal import LinchpinTrust

/// What libcurl says about a transfer that is over (curl_easy_getinfo(3)), as it says it.
final class TransferFacts: Sendable {
    /// In nanoseconds, from the request's start to the transfer's.
    private let waited: Int64
    // In microseconds, from the transfer's start.
    private let lookup: Int64
    private let connect: Int64
    private let secure: Int64
    private let ready: Int64
    private let first: Int64
    private let total: Int64
    private let requestHeaderBytes: Int
    private let requestBodyBytes: Int64
    private let responseHeaderBytes: Int
    private let responseBodyBytes: Int64
    private let httpVersion: Int
    private let isReused: Bool
    private let hasBegun: Bool
    private let tls: TLSFacts?
    private let address: String?
    private let port: Int
    private let redirects: Int

    init(_ hop: Hop) {
        let easy = hop.easy
        waited = hop.start - hop.exchange.start
        lookup = easy.size(CURLINFO_NAMELOOKUP_TIME_T) ?? 0
        connect = easy.size(CURLINFO_CONNECT_TIME_T) ?? 0
        secure = easy.size(CURLINFO_APPCONNECT_TIME_T) ?? 0
        ready = easy.size(CURLINFO_PRETRANSFER_TIME_T) ?? 0
        first = easy.size(CURLINFO_STARTTRANSFER_TIME_T) ?? 0
        total = easy.size(CURLINFO_TOTAL_TIME_T) ?? 0
        requestHeaderBytes = easy.long(CURLINFO_REQUEST_SIZE)
        requestBodyBytes = easy.size(CURLINFO_SIZE_UPLOAD_T) ?? 0
        responseHeaderBytes = easy.long(CURLINFO_HEADER_SIZE)
        responseBodyBytes = easy.size(CURLINFO_SIZE_DOWNLOAD_T) ?? 0
        httpVersion = easy.long(CURLINFO_HTTP_VERSION)
        isReused = easy.long(CURLINFO_NUM_CONNECTS) == 0
        hasBegun = hop.hasBegun
        tls = hop.tls
        address = easy.string(CURLINFO_PRIMARY_IP)
        port = easy.long(CURLINFO_PRIMARY_PORT)
        redirects = hop.exchange.redirects
    }

    /// The same for people.
    var metrics: RequestMetrics {
        let waited = Double(waited) / 1e9
        return RequestMetrics(
            queue: waited,
            nameLookup: isReused ? nil : seconds(lookup),
            connect: isReused || connect == 0 ? nil : seconds(connect - lookup),
            tls: isReused || secure == 0 ? nil : seconds(secure - connect),
            firstByte: first == 0 ? nil : seconds(first - ready),
            total: waited + seconds(total),
            requestHeaderBytesSent: Int64(requestHeaderBytes),
            requestBodyBytesSent: requestBodyBytes,
            responseHeaderBytesReceived: Int64(responseHeaderBytes),
            responseBodyBytesReceived: responseBodyBytes,
            networkProtocolName: protocolName,
            isReusedConnection: isReused && hasBegun,
            tlsVersion: tls?.version,
            tlsCipher: tls?.cipher,
            remoteAddress: remoteAddress,
            peerCertificates: tls?.peerCertificates ?? [],
            redirectCount: redirects
        )
    }

    private func seconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1e6 }

    private var protocolName: String? {
        switch httpVersion {
        case Int(CURL_HTTP_VERSION_1_0): "http/1.0"
        case Int(CURL_HTTP_VERSION_1_1): "http/1.1"
        case Int(CURL_HTTP_VERSION_2_0): "h2"
        default: nil
        }
    }

    private var remoteAddress: String? {
        guard let address, !address.isEmpty else { return nil }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}

/// What a transfer took: the metrics, or what they can be made of, for the first who looks.
enum MeasuredTransfer: Sendable {
    indirect case made(RequestMetrics)
    case facts(TransferFacts)

    var metrics: RequestMetrics {
        switch self {
        case .made(let metrics): metrics
        case .facts(let facts): facts.metrics
        }
    }
}
