/// The name that Alamofire once gave it.
@available(*, deprecated, renamed: "DisabledTrustEvaluator")
public typealias DisabledEvaluator = DisabledTrustEvaluator

extension PinnedCertificatesTrustEvaluator {
    /// Pins the certificates that the program brings along; see `Bundle.main.af.certificates`.
    public convenience init(
        acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.init(
            certificates: Bundle.main.af.certificates,
            acceptSelfSignedCertificates: acceptSelfSignedCertificates,
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost
        )
    }
}

extension PublicKeysTrustEvaluator {
    /// Pins the keys of the certificates that the program brings along; see `Bundle.main.af.publicKeys`.
    public convenience init(performDefaultValidation: Bool = true, validateHost: Bool = true) {
        self.init(
            keys: Bundle.main.af.publicKeys,
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost
        )
    }
}

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
    /// Pins certificates.
    public static func pinnedCertificates(
        certificates: [SecCertificate] = Bundle.main.af.certificates,
        acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) -> PinnedCertificatesTrustEvaluator {
        PinnedCertificatesTrustEvaluator(
            certificates: certificates,
            acceptSelfSignedCertificates: acceptSelfSignedCertificates,
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost
        )
    }
}

extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
    /// Pins keys.
    public static func publicKeys(
        keys: [SecKey] = Bundle.main.af.publicKeys,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) -> PublicKeysTrustEvaluator {
        PublicKeysTrustEvaluator(
            keys: keys,
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost
        )
    }
}
