internal import LinchpinTrust

/// Where a certificate and its key were written, for programs that read files: nginx, `openssl s_server`, curl.
public struct PEMFiles: Sendable, Hashable {
    /// The path of the certificates, `NAME.pem`.
    public let certificates: String
    /// The path of the private key, `NAME.key`, which only its owner can read.
    public let privateKey: String

    /// Writes both into a directory, made if need be; files of these names are replaced, each in one step.
    fileprivate init(
        certificates: [String],
        key: PrivateKey,
        directory: String,
        name: String
    ) throws(TestingError) {
        guard !name.isEmpty, !name.contains("/"), !name.contains("\0") else {
            throw TestingError(.unwritableFile, reason: "\"\(name)\" is not the name of a file")
        }
        try FileWriter.makeDirectory(directory)
        self.certificates = "\(directory)/\(name).pem"
        privateKey = "\(directory)/\(name).key"
        // The key first: a server that reloads on a new certificate must not find the old key.
        try FileWriter.write(key.pem, to: privateKey, access: .owner)
        try FileWriter.write(certificates.joined(), to: self.certificates, access: .everybody)
    }
}

extension ServerIdentity {
    /// Writes the chain to `NAME.pem` and the key to `NAME.key`.
    ///
    /// The key file has mode 0600 from the moment it exists.
    ///
    /// - Throws: ``TestingError`` with code `unwritableFile`.
    @discardableResult
    public func write(to directory: String, name: String) throws(TestingError) -> PEMFiles {
        try PEMFiles(certificates: chain.map(\.pem), key: privateKey, directory: directory, name: name)
    }
}

extension LocalCertificateAuthority {
    /// Writes the authority's certificate to `NAME.pem` and its key to `NAME.key`.
    ///
    /// The key file has mode 0600 from the moment it exists.
    ///
    /// - Throws: ``TestingError`` with code `unwritableFile`.
    @discardableResult
    public func write(to directory: String, name: String) throws(TestingError) -> PEMFiles {
        try PEMFiles(certificates: [certificate.pem], key: privateKey, directory: directory, name: name)
    }

    /// Writes the authority's certificate alone, for clients to trust, and returns the path of `NAME.pem`.
    ///
    /// - Throws: ``TestingError`` with code `unwritableFile`.
    @discardableResult
    public func writeCertificate(to directory: String, name: String) throws(TestingError) -> String {
        try FileWriter.makeDirectory(directory)
        let path = "\(directory)/\(name).pem"
        try FileWriter.write(certificate.pem, to: path, access: .everybody)
        return path
    }
}
