internal import CLibcurl
internal import CLinchpin

/// The libcurl of this process: initialised once, and looked at before it is trusted with TLS.
enum CurlLibrary {
    /// The oldest libcurl that is supported: 7.88.0.
    private static let oldestVersion: UInt32 = 0x07_58_00

    /// - Throws: ``SessionError`` `.sessionInvalidated` with an ``UnusableLibraryError``.
    static func ensureUsable() throws(SessionError) {
        if let problem { throw .sessionInvalidated(error: UnusableLibraryError(message: problem)) }
    }

    /// The content codings that libcurl can decode, in its own order.
    static let codings: String = {
        let features = UInt32(bitPattern: curl_version_info(CURLVERSION_TENTH)?.pointee.features ?? 0)
        let known = [
            (CURL_VERSION_LIBZ, "deflate, gzip"), (CURL_VERSION_BROTLI, "br"), (CURL_VERSION_ZSTD, "zstd"),
        ]
        let names = known.filter { features & UInt32($0.0) != 0 }.map(\.1)
        return names.isEmpty ? "identity" : names.joined(separator: ", ")
    }()

    private static let problem: String? = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return "libcurl cannot be initialised" }
        guard let info = curl_version_info(CURLVERSION_TENTH) else { return "libcurl does not tell its version" }
        return problem(
            versionNumber: info.pointee.version_num,
            version: info.pointee.version.map { String(cString: $0) } ?? "",
            tls: info.pointee.ssl_version.map { String(cString: $0) } ?? ""
        )
    }()

    /// What is wrong with a libcurl of this version and TLS library; nil when nothing is.
    ///
    /// A build with several TLS libraries names those that are not in use in parentheses.
    static func problem(versionNumber: UInt32, version: String, tls: String) -> String? {
        guard tls.hasPrefix("OpenSSL/") else {
            return "libcurl is built on \"\(tls)\"; Linchpin judges servers inside OpenSSL's handshake and needs the "
                + "OpenSSL build (Debian: libcurl4-openssl-dev)"
        }
        guard versionNumber >= oldestVersion else {
            return "libcurl \(version) is older than 7.88.0, the oldest that is supported"
        }
        return nil
    }
}

/// The libcurl or the operating system of this process cannot carry a session.
public struct UnusableLibraryError: Error, CustomStringConvertible, Sendable {
    /// What is missing, and what to do.
    public let message: String

    /// The message.
    public var description: String { message }
}

/// A call to libcurl that should have succeeded, and did not.
struct CurlFailure: Error {
    let code: CURLcode

    /// The failure as the error of a transfer.
    var transportError: TransportError {
        TransportError(code: .other, curlCode: Int(code.rawValue), message: String(cString: curl_easy_strerror(code)))
    }
}

/// Turns a result of libcurl into an error where it is made.
func check(_ code: CURLcode) throws(CurlFailure) {
    guard code == CURLE_OK else { throw CurlFailure(code: code) }
}
