internal import Foundation

extension PolicyRoots {
    /// The certificates of an array of files.
    func certificates(_ node: PolicyNode) throws(TrustError) -> [Certificate] {
        try each(node) { path throws(TrustError) in try Certificate.certificates(contentsOfFile: path) }
    }

    /// The keys of an array of files, each one `PUBLIC KEY` block or a certificate.
    func publicKeys(_ node: PolicyNode) throws(TrustError) -> [PublicKey] {
        try each(node) { path throws(TrustError) in
            let bytes = try FileBytes.read(path)
            guard bytes.range(of: Data("-----BEGIN PUBLIC KEY-----".utf8)) != nil else {
                return try Certificate.certificates(contentsOfFile: path).map(\.publicKey)
            }
            do throws(TrustError) {
                return [try PublicKey(pem: String(decoding: bytes, as: UTF8.self))]
            } catch {
                throw error.at(path)
            }
        }
    }

    /// The lists of an array of files.
    func revocationLists(_ node: PolicyNode) throws(TrustError) -> [CertificateRevocationList] {
        try each(node) { path throws(TrustError) in try CertificateRevocationList.lists(contentsOfFile: path) }
    }

    /// The logs of a file.
    func transparencyLogs(_ node: PolicyNode) throws(TrustError) -> [TransparencyLog] {
        do {
            return try TransparencyLog.logs(contentsOfFile: try path(node))
        } catch {
            throw error.code == .malformedPolicy ? error : node.fault(error)
        }
    }

    private func each<Item>(
        _ node: PolicyNode,
        _ read: (String) throws(TrustError) -> [Item]
    ) throws(TrustError) -> [Item] {
        let files = try node.elements()
        guard !files.isEmpty else { throw node.fault("no file is named; an empty list accepts nothing") }
        var items: [Item] = []
        for file in files {
            let path = try path(file)
            do {
                items += try read(path)
            } catch {
                throw file.fault(error)
            }
        }
        return items
    }
}
