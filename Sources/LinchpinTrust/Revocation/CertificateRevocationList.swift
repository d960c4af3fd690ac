internal import COpenSSL
public import Foundation

/// A list of the certificates that an authority has revoked (RFC 5280 §5), read once and never changed.
///
/// Whether its issuer signed it is found out when it is used.
public struct CertificateRevocationList: Sendable {
    let handle: Handle

    /// The one owner of an OpenSSL list.
    final class Handle {
        let pointer: OpaquePointer
        init(takingOwnership pointer: OpaquePointer) { self.pointer = pointer }
        deinit { X509_CRL_free(pointer) }
    }

    /// Reads a list from DER.
    ///
    /// - Throws: ``TrustError`` with code `malformedRevocationList`.
    public init(der: Data) throws(TrustError) {
        OpenSSLError.clear()
        var consumed = 0
        let list = der.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            let start = cursor
            let list = d2i_X509_CRL(nil, &cursor, bytes.count)
            if let cursor, let start { consumed = cursor - start }
            return list
        }
        guard let list else {
            throw TrustError(
                .malformedRevocationList,
                reason: "the data is not a certificate revocation list: \(OpenSSLError.drainText())"
            )
        }
        handle = Handle(takingOwnership: list)
        guard consumed == der.count else {
            throw TrustError(.malformedRevocationList, reason: "\(der.count - consumed) bytes follow the list")
        }
    }

    /// Reads every list of a PEM text, blocks `X509 CRL`, in its order.
    ///
    /// - Throws: ``TrustError`` with code `malformedRevocationList` for a text without one, a broken block, or a block of
    ///   another kind.
    public static func lists(pem: String) throws(TrustError) -> [CertificateRevocationList] {
        let blocks: [PEMBlock]
        do {
            blocks = try PEMBlock.blocks(of: Data(pem.utf8))
        } catch {
            throw TrustError(.malformedRevocationList, reason: error.reason)
        }
        guard !blocks.isEmpty else {
            throw TrustError(.malformedRevocationList, reason: "the text has no PEM block (`-----BEGIN X509 CRL-----`)")
        }
        var lists: [CertificateRevocationList] = []
        for (index, block) in blocks.enumerated() {
            guard block.label == "X509 CRL" else {
                throw TrustError(
                    .malformedRevocationList,
                    reason: "PEM block \(index + 1) is a \(block.label); only X509 CRL is read here"
                )
            }
            do {
                lists.append(try CertificateRevocationList(der: block.content))
            } catch {
                throw error.at("PEM block \(index + 1)")
            }
        }
        return lists
    }

    /// Reads the lists of a file, PEM or DER.
    ///
    /// - Throws: ``TrustError`` with code `unreadableFile` (path and errno's words) or `malformedRevocationList`.
    public static func lists(contentsOfFile path: String) throws(TrustError) -> [CertificateRevocationList] {
        let data = try FileBytes.read(path)
        do {
            return data.range(of: Data("-----BEGIN ".utf8)) == nil
                ? [try CertificateRevocationList(der: data)] : try lists(pem: String(decoding: data, as: UTF8.self))
        } catch {
            throw error.at(path)
        }
    }

    /// Until when it counts; nil for a list that does not say so, which RFC 5280 §5.1.2.5 forbids.
    public var nextUpdate: Date? { Certificate.date(of: X509_CRL_get0_nextUpdate(handle.pointer)) }

    /// From when it is.
    public var thisUpdate: Date? { Certificate.date(of: X509_CRL_get0_lastUpdate(handle.pointer)) }

    /// Whether it is only what changed since another list (RFC 5280 §5.2.4). OpenSSL takes such a one for a whole list.
    var isDelta: Bool { X509_CRL_get_ext_by_NID(handle.pointer, NID_delta_crl, -1) >= 0 }

    /// Whether the digest that its signature is over can be relied upon.
    var isSignedStrongly: Bool {
        var algorithm: UnsafePointer<X509_ALGOR>?
        X509_CRL_get0_signature(handle.pointer, nil, &algorithm)
        return SignatureDigest.isStrong(algorithm)
    }

    /// Whether it names the certificate as its issuer. The signature is not looked at.
    func isIssued(by issuer: Certificate) -> Bool {
        X509_NAME_cmp(X509_CRL_get_issuer(handle.pointer), X509_get_subject_name(issuer.handle.pointer)) == 0
    }
}

// The list is never changed after it was read; OpenSSL sorts its entries for the first search under a lock of its own.
extension CertificateRevocationList.Handle: @unchecked Sendable {}
