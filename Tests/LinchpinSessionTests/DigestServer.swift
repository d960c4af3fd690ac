import COpenSSL
import Foundation
import LinchpinTesting

/// A handler's view of Digest (RFC 7616): challenges, and whether an answer knows the password.
struct DigestServer: Sendable {
    var algorithm = "MD5"
    var nonce = "n0nce"
    let user: String
    let password: String

    func challenge(stale: Bool = false) -> LocalTLSServer.Header {
        let more = stale ? ", stale=true" : ""
        return .init(
            "WWW-Authenticate",
            "Digest realm=\"here\", nonce=\"\(nonce)\", qop=\"auth\", algorithm=\(algorithm)\(more)"
        )
    }

    /// Whether the request carries the right answer.
    func admits(_ request: LocalTLSServer.Request) -> Bool {
        guard let field = request.header("Authorization"), field.hasPrefix("Digest ") else { return false }
        var parts: [String: String] = [:]
        for match in field.matches(of: /(\w+)=(?:"([^"]*)"|([^, ]+))/) {
            parts[String(match.1)] = String(match.2 ?? match.3 ?? "")
        }
        guard parts["nonce"] == nonce, parts["uri"] == request.target, parts["username"] == user else { return false }
        let secret = hash("\(user):here:\(password)")
        let action = hash("\(request.method):\(request.target)")
        let middle = ["nonce", "nc", "cnonce", "qop"].map { parts[$0] ?? "" }.joined(separator: ":")
        return parts["response"] == hash("\(secret):\(middle):\(action)")
    }

    private func hash(_ text: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length = 0
        let bytes = Array(text.utf8)
        let name = algorithm == "MD5" ? "MD5" : "SHA256"
        guard EVP_Q_digest(nil, name, nil, bytes, bytes.count, &digest, &length) == 1 else { return "" }
        return digest[..<length].map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0\(text)" : text
        }.joined()
    }
}
