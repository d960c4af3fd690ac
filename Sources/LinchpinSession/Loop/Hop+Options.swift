internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust

extension Hop {
    /// Half of the buffer that libcurl takes by itself.
    private static let headWithoutBuffer = 32_768
    /// The largest that it can take.
    private static let largestBuffer = 2 << 20

    /// Sets everything that the transfer needs, and that the handle does not have from the one before.
    func setOptions() throws(CurlFailure) {
        easy.hop = self
        try easy.use(url)
        try easy.use(pool.store(usingCookies: exchange.request.httpShouldHandleCookies))
        try pool.settings.applyOverrides(to: easy)
        let connect = exchange.timeouts.connect.map { Int(exactly: ($0 * 1_000).rounded(.up)) ?? Int(Int32.max) }
        try easy.limit(connectTimeout: connect ?? 0)
        if connection == .fresh {
            easy.mark(.reset)
            try easy.set(CURLOPT_FRESH_CONNECT, 1)
            try easy.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        }
        try setRequest()
        if let credential = exchange.credential, exchange.request.value(forHTTPHeaderField: "Authorization") == nil {
            easy.mark(.reset)
            try setCredential(credential)
        }
    }

    /// Whether a body is so large, or may be, that it waits for the server to ask for it.
    private var waitsForContinue: Bool {
        guard let least = pool.configuration.expectsContinueFrom, let body else { return false }
        return body.length.map { $0 >= least } ?? true
    }

    private func setRequest() throws(CurlFailure) {
        try easy.use(method: method, bodySize: bodySize)
        try setHeaders()
    }

    /// How many bytes the body has, -1 where that is not known; nil for a request that has none, and by nature.
    private var bodySize: Int? {
        if let body { return Int(body.length ?? -1) }
        return switch method {
        case "POST", "PUT", "PATCH": 0
        default: nil
        }
    }

    /// Sends no `Expect` field when libcurl sends the request again after a 417 (RFC 9110 §15.5.18).
    ///
    /// libcurl sends it again for as long as it gets a 417, and leaves out only a field that is its own.
    func dropExpectation() throws(CurlFailure) {
        isExpecting = false
        exchange.request.setValue(nil, forHTTPHeaderField: "Expect")
        try setHeaders()
    }

    private func setHeaders() throws(CurlFailure) {
        let fields = exchange.request.allHTTPHeaderFields ?? [:]
        if fields.isEmpty, body == nil, !exchange.sessionFields.isEmpty, method == "GET" || method == "HEAD" {
            return try easy.use(pool.sessionFields)
        }
        let headerList = HeaderList()
        var names: [String] = []
        var acceptEncoding = ""
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            let lowerName = name.lowercased()
            names.append(lowerName)
            switch lowerName {
            case "accept-encoding": acceptEncoding = value
            // libcurl puts the jar's cookies and these into one field, of which there must not be two.
            case "cookie":
                easy.mark(.reset)
                try easy.set(CURLOPT_COOKIE, value)
            case "content-length", "transfer-encoding": continue
            default: try headerList.append(HTTPHeader(name: name, value: value))
            }
        }
        for header in exchange.sessionFields where !names.contains(header.name.lowercased()) {
            try headerList.append(header)
        }
        // libcurl would take this host's cookies for those of every later request without such a field.
        if names.contains("host") { easy.mark(.thrownAway) }
        // The caller's own choice is decoded as well.
        let codings = acceptEncoding.isEmpty ? CurlLibrary.codings : acceptEncoding
        try headerList.append(HTTPHeader(name: "Accept-Encoding", value: codings))
        // libcurl would wait a second for `100 Continue` as it thinks fit, and call every body a form.
        if let body, body.length == nil {
            try headerList.append(HTTPHeader(name: "Transfer-Encoding", value: "chunked"))
        }
        if bodySize != nil {
            if !names.contains("content-type") { try headerList.suppress("Content-Type") }
            if !names.contains("expect") {
                if isExpecting, waitsForContinue {
                    try headerList.append(HTTPHeader(name: "Expect", value: "100-continue"))
                } else {
                    try headerList.suppress("Expect")
                }
            }
        }
        try easy.use(headerList)
        // libcurl 7.88 sends as much of a head at once as this buffer holds, and over TLS then waits for ever. Cookies and
        // the URL come on top.
        if headerList.byteCount > Self.headWithoutBuffer {
            easy.mark(.reset)
            try easy.set(CURLOPT_UPLOAD_BUFFERSIZE, min(headerList.byteCount + 65_536, Self.largestBuffer))
        }
    }
}
