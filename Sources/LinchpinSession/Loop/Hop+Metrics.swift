internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import LinchpinTrust

extension Hop {
    /// What the transfer took (curl_easy_getinfo(3)).
    func metrics() -> RequestMetrics {
        let isReused = easy.long(CURLINFO_NUM_CONNECTS) == 0
        let lookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = seconds(CURLINFO_CONNECT_TIME_T)
        let secure = seconds(CURLINFO_APPCONNECT_TIME_T)
        let ready = seconds(CURLINFO_PRETRANSFER_TIME_T)
        let first = seconds(CURLINFO_STARTTRANSFER_TIME_T)
        let waited = Double(start - exchange.start) / 1e9
        return RequestMetrics(
            queue: waited,
            nameLookup: isReused ? nil : lookup,
            connect: isReused || connect == 0 ? nil : connect - lookup,
            tls: isReused || secure == 0 ? nil : secure - connect,
            firstByte: first == 0 ? nil : first - ready,
            total: waited + seconds(CURLINFO_TOTAL_TIME_T),
            requestHeaderBytesSent: Int64(easy.long(CURLINFO_REQUEST_SIZE)),
            requestBodyBytesSent: easy.size(CURLINFO_SIZE_UPLOAD_T) ?? 0,
            responseHeaderBytesReceived: Int64(easy.long(CURLINFO_HEADER_SIZE)),
            responseBodyBytesReceived: easy.size(CURLINFO_SIZE_DOWNLOAD_T) ?? 0,
            networkProtocolName: protocolName,
            isReusedConnection: isReused && hasBegun,
            tlsVersion: tls?.version,
            tlsCipher: tls?.cipher,
            remoteAddress: remoteAddress,
            peerCertificates: tls?.peerCertificates ?? [],
            redirectCount: exchange.redirects
        )
    }

    private func seconds(_ info: CURLINFO) -> Double { Double(easy.size(info) ?? 0) / 1e6 }

    private var protocolName: String? {
        switch easy.long(CURLINFO_HTTP_VERSION) {
        case Int(CURL_HTTP_VERSION_1_0): "http/1.0"
        case Int(CURL_HTTP_VERSION_1_1): "http/1.1"
        case Int(CURL_HTTP_VERSION_2_0): "h2"
        default: nil
        }
    }

    private var remoteAddress: String? {
        guard let address = easy.string(CURLINFO_PRIMARY_IP), !address.isEmpty else { return nil }
        let port = easy.long(CURLINFO_PRIMARY_PORT)
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
