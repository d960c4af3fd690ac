internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// The one spelling of a request that both ends sign.
struct CanonicalRequest {
    let text: String
    /// The names of the fields in it, in lower case, joined by semicolons.
    let signedHeaders: String
    /// The SHA-256 of the body, as hexadecimal digits.
    let bodyDigest: String

    /// - Parameters:
    ///   - headers: names of the fields that are signed; those that the request has not got are left out.
    init?(_ request: URLRequest, headers: Set<String>) {
        guard let target = request.url.flatMap(WireTarget.init),
            let bodyDigest = RequestDigest.sha256(request.httpBody ?? Data())
        else { return nil }
        var fields = ["host": request.value(forHTTPHeaderField: "Host") ?? target.host]
        for name in headers.map({ $0.lowercased() }) where name != "host" {
            fields[name] = request.value(forHTTPHeaderField: name)
        }
        // Spaces around a value and runs of them inside it do not survive every proxy.
        let lines = fields.sorted { $0.key < $1.key }
            .map { "\($0.key):\($0.value.split(whereSeparator: \.isWhitespace).joined(separator: " "))" }
        let query = (target.query ?? "").split(separator: "&").sorted().joined(separator: "&")
        self.bodyDigest = bodyDigest
        signedHeaders = fields.keys.sorted().joined(separator: ";")
        text = ([request.httpMethod ?? "GET", target.path, query] + lines + [signedHeaders, bodyDigest])
            .joined(separator: "\n")
    }
}
