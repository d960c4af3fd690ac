internal import COpenSSL
public import Foundation

/// A public log of certificates (RFC 6962): its name and its key.
public struct TransparencyLog: Sendable, Hashable {
    /// What people call it.
    public let name: String
    /// The key that it signs timestamps with.
    public let publicKey: PublicKey

    /// SHA-256 of the key, by which timestamps name the log (RFC 6962 §3.2).
    public var identifier: Data { PublicKeyPin(of: publicKey).digest }

    /// Makes a log of its key.
    public init(name: String, publicKey: PublicKey) {
        self.name = name
        self.publicKey = publicKey
    }

    /// Makes a log of its key as log lists have it: the Base64 of a SubjectPublicKeyInfo.
    ///
    /// - Throws: ``TrustError`` with code `malformedTransparencyLog`.
    public init(name: String, publicKeyBase64 text: String) throws(TrustError) {
        guard let der = Data(base64Encoded: text) else {
            throw TrustError(.malformedTransparencyLog, reason: "the key of the log \"\(name)\" is not Base64")
        }
        do {
            self.init(name: name, publicKey: try PublicKey(der: der))
        } catch {
            throw TrustError(.malformedTransparencyLog, reason: "the log \"\(name)\": \(error.reason)", cause: error)
        }
    }

    /// Reads a list of logs in OpenSSL's format: `enabled_logs` names sections, each with `description` and `key`, the
    /// Base64 of a SubjectPublicKeyInfo (CTLOG_STORE_load_file(3)).
    ///
    /// - Throws: ``TrustError`` with code `unreadableFile` (path and errno's words) or `malformedTransparencyLog`.
    public static func logs(contentsOfFile path: String) throws(TrustError) -> [TransparencyLog] {
        let bytes = try FileBytes.read(path, atMost: mostBytes)
        do {
            return try logs(of: bytes)
        } catch {
            throw error.at(path)
        }
    }

    /// Many times the longest list that there is.
    private static let mostBytes = 1 << 20

    private static func logs(of bytes: Data) throws(TrustError) -> [TransparencyLog] {
        OpenSSLError.clear()
        guard let configuration = NCONF_new(nil) else {
            throw TrustError(.evaluationUnavailable, reason: OpenSSLError.drainText())
        }
        defer { NCONF_free(configuration) }
        let isRead = bytes.withUnsafeBytes { bytes in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return false }
            defer { BIO_free(bio) }
            return NCONF_load_bio(configuration, bio, nil) == 1
        }
        guard isRead else {
            throw TrustError(
                .malformedTransparencyLog,
                reason: "the text is no configuration of OpenSSL's: \(OpenSSLError.drainText())"
            )
        }
        func value(_ section: String?, _ name: String) throws(TrustError) -> String {
            guard let text = NCONF_get_string(configuration, section, name) else {
                OpenSSLError.clear()
                let place = section.map { " in the section [\($0)]" } ?? ""
                throw TrustError(.malformedTransparencyLog, reason: "there is no \"\(name)\"\(place)")
            }
            return String(cString: text)
        }
        let sections = try value(nil, "enabled_logs").split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard !sections.isEmpty else {
            throw TrustError(.malformedTransparencyLog, reason: "\"enabled_logs\" names no log")
        }
        return try sections.map { section throws(TrustError) in
            try TransparencyLog(name: value(section, "description"), publicKeyBase64: value(section, "key"))
        }
    }
}
