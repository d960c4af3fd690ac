import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

/// A chain of three in which one certificate breaks one rule.
struct RuleCase: Sendable, CustomTestStringConvertible {
    enum Place { case leaf, intermediate, root }

    let testDescription: String
    let place: Place
    /// What only the rule's own refusal says: OpenSSL's would say something else.
    let word: String
    /// Whether private authorities may break it.
    let isForm: Bool
    var keyType = KeyType.p256
    var names: [CertificateName] = [.dns(World.host)]
    var commonName: String?
    let change: @Sendable (inout CertificateProfile) -> Void

    init(
        _ description: String,
        _ place: Place,
        _ word: String,
        isForm: Bool = true,
        keyType: KeyType = .p256,
        names: [CertificateName] = [.dns(World.host)],
        commonName: String? = nil,
        change: @escaping @Sendable (inout CertificateProfile) -> Void = { _ in }
    ) {
        testDescription = description
        self.place = place
        self.word = word
        self.isForm = isForm
        self.keyType = keyType
        self.names = names
        self.commonName = commonName
        self.change = change
    }

    /// What is sent and what is trusted; with nothing wrong unless `isBroken`.
    func chain(isBroken: Bool) throws -> (sent: [Certificate], roots: TrustRoots) {
        func type(_ at: Place) -> KeyType { isBroken && at == place ? keyType : .p256 }
        func profile(_ base: CertificateProfile, _ at: Place) -> CertificateProfile {
            var profile = base
            if isBroken && at == place { change(&profile) }
            return profile
        }
        let root = try LocalCertificateAuthority(
            name: "Root",
            keyType: type(.root),
            validity: .atNoon,
            profile: profile(.authority, .root)
        )
        let intermediate = try root.intermediate(
            name: "Intermediate",
            keyType: type(.intermediate),
            validity: .atNoon,
            profile: profile(.authority, .intermediate)
        )
        let server = try intermediate.issue(
            isBroken ? names : [.dns(World.host)],
            commonName: isBroken ? commonName : nil,
            keyType: type(.leaf),
            validity: .atNoon,
            profile: profile(.server, .leaf)
        )
        return (server.chain, .certificates([root.certificate]))
    }

    /// Why the chain is refused, judged as in a handshake.
    func refusal(_ profile: ValidationProfile, isBroken: Bool) throws -> TrustError? {
        let (sent, roots) = try chain(isBroken: isBroken)
        return try LinchpinTrustTests.refusal(by: DefaultTrustEvaluator(roots: roots, profile: profile), of: sent)
    }

    /// The chain is refused for this reason, and its twin with nothing wrong is accepted.
    func verify(_ code: TrustError.Code = .chainInvalid) throws {
        let error = try refusal(.webPKI, isBroken: true)
        #expect(error?.code == code)
        #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "accepted")")
        let relaxed = try refusal(.privatePKI, isBroken: true)
        if isForm {
            #expect(relaxed == nil)
        } else {
            #expect(relaxed?.code == code)
            #expect(relaxed?.reason.contains(word) == true, "\(relaxed?.reason ?? "accepted")")
        }
        for profile in [ValidationProfile.webPKI, .privatePKI] {
            #expect(try refusal(profile, isBroken: false) == nil)
        }
    }
}
