internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// One block of a PEM text: its label and its decoded content.
struct PEMBlock {
    let label: String
    let content: Data

    /// The blocks of a text, up to its end or to the first one that OpenSSL cannot read.
    static func blocks(of bytes: [UInt8]) throws(TrustError) -> [PEMBlock] {
        guard let bio = BIO_new_mem_buf(bytes, Int32(clamping: bytes.count)) else {
            throw TrustError(.malformedCertificate, reason: OpenSSLError.drainText())
        }
        defer { BIO_free(bio) }
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        var blocks: [PEMBlock] = []
        while let block = next(from: bio) { blocks.append(block) }
        return blocks
    }

    private static func next(from bio: OpaquePointer) -> PEMBlock? {
        var label: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var content: UnsafeMutablePointer<UInt8>?
        var length = 0
        guard PEM_read_bio(bio, &label, &header, &content, &length) == 1 else { return nil }
        defer {
            CRYPTO_free(label, nil, 0)
            CRYPTO_free(header, nil, 0)
        }
        let data = Data(takingOpenSSL: content, length: length) ?? Data()
        return PEMBlock(label: label.map { String(cString: $0) } ?? "", content: data)
    }
}
