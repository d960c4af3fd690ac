extension Bundle {
    /// What a bundle brings along, as `Bundle.main.af`.
    public struct AlamofireNames: Sendable {
        private let paths: [String]

        fileprivate init(_ bundle: Bundle) {
            paths = ["cer", "CER", "crt", "CRT", "der", "DER"]
                .flatMap { bundle.paths(forResourcesOfType: $0, inDirectory: nil) }
        }

        /// The certificates of all `.cer`, `.crt` and `.der` files; a file that is no certificate in DER is passed over.
        public var certificates: [SecCertificate] {
            paths.compactMap { path in
                guard let data = FileManager.default.contents(atPath: path) else { return nil }
                return SecCertificateCreateWithData(nil, data as NSData)
            }
        }

        /// The keys of ``certificates``.
        public var publicKeys: [SecKey] { certificates.map(\.publicKey) }
    }

    /// What the bundle brings along.
    public var af: AlamofireNames { AlamofireNames(self) }
}
