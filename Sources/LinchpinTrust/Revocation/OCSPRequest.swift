internal import COpenSSL
internal import Foundation

/// A question to an OCSP responder (RFC 6960 §4.1).
enum OCSPRequest {
    /// The DER of a question about one certificate, with a nonce of its own.
    ///
    /// The certificate is named by SHA-1, which every responder knows (RFC 5019 §2.1.1); nothing is proved by it.
    static func encoded(for subject: IssuedCertificate) throws(TrustError) -> Data {
        OpenSSLError.clear()
        guard let request = OCSP_REQUEST_new() else { throw unavailable() }
        defer { OCSP_REQUEST_free(request) }
        let (certificate, issuer) = (subject.certificate.handle.pointer, subject.issuer.handle.pointer)
        guard let identifier = OCSP_cert_to_id(EVP_sha1(), certificate, issuer) else { throw unavailable() }
        // The request takes it over.
        guard OCSP_request_add0_id(request, identifier) != nil else {
            OCSP_CERTID_free(identifier)
            throw unavailable()
        }
        guard OCSP_request_add1_nonce(request, nil, -1) == 1 else { throw unavailable() }
        var buffer: UnsafeMutablePointer<UInt8>?
        let length = i2d_OCSP_REQUEST(request, &buffer)
        guard let encoded = Data(takingOpenSSL: buffer, length: Int(length)) else { throw unavailable() }
        return encoded
    }

    private static func unavailable() -> TrustError {
        TrustError(.evaluationUnavailable, reason: "no OCSP request could be made: \(OpenSSLError.drainText())")
    }
}
