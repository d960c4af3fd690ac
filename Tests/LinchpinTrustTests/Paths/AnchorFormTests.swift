import Foundation
import LinchpinTesting
import Testing

@testable import LinchpinTrust

/// Anchors that people have: those of the system, and the server's own certificate.
@Suite struct AnchorFormTests {
    @Test(arguments: ["digitalSignature", ""])
    func `a self-signed certificate as tools make it is its own anchor`(usage: String) throws {
        var profile = CertificateProfile()
        profile.replacedExtensions = [
            "basicConstraints": "CA:FALSE", "keyUsage": usage, "subjectKeyIdentifier": "",
            "subjectAltName": "DNS:\(World.host)",
        ]
        let server = try LocalCertificateAuthority(name: World.host, validity: .atNoon, profile: profile)
        let roots = TrustRoots.certificates([server.certificate])
        #expect(try refusal(by: DefaultTrustEvaluator(roots: roots), of: [server.certificate]) == nil)
        let pinned = PinnedCertificatesTrustEvaluator(
            certificates: [server.certificate],
            acceptSelfSignedCertificates: true
        )
        #expect(try refusal(by: pinned, of: [server.certificate]) == nil)
        // The twin: what it issues is refused, in the relaxed profile as well.
        let issued = try server.issue([.dns(World.host)], validity: .atNoon).certificate
        for profile in [ValidationProfile.webPKI, .privatePKI] {
            let evaluator = DefaultTrustEvaluator(roots: roots, profile: profile)
            #expect(try refusal(by: evaluator, of: [issued])?.code == .chainInvalid)
        }
    }

    @Test func `a certificate that is its own anchor keeps the rules that are more than form`() throws {
        func code(_ type: KeyType, _ change: (inout CertificateProfile) -> Void) throws -> TrustError.Code? {
            var profile = CertificateProfile.server
            profile.replacedExtensions["subjectAltName"] = "DNS:\(World.host)"
            change(&profile)
            let server = try LocalCertificateAuthority(
                name: World.host,
                keyType: type,
                validity: .atNoon,
                profile: profile
            )
            let evaluator = DefaultTrustEvaluator(roots: .certificates([server.certificate]))
            return try refusal(by: evaluator, of: [server.certificate])?.code
        }
        #expect(try code(.p256) { _ in } == nil)
        #expect(try code(.rsa(bits: 2047)) { _ in } == .chainInvalid)
        #expect(try code(.p256) { $0.serialNumber = "-1" } == .chainInvalid)
        #expect(try code(.p256) { $0.extendedKeyUsages = [.clientAuth] } == .chainInvalid)
        #expect(try code(.p256) { $0.additionalExtensions = [.init("1.2.3.4", "critical,DER:0500")] } == .chainInvalid)
    }

    @Test func `the form of the system's roots is not judged, their keys and extensions are`() throws {
        let path = "/etc/ssl/certs/ca-certificates.crt"
        guard FileManager.default.fileExists(atPath: path) else { return }
        let roots = try Certificate.certificates(contentsOfFile: path)
        let server = try World().server.certificate
        // The path is none; these rules look at each certificate by itself.
        let rules: [any PathRule] = [
            KeyRule(profile: .webPKI), AuthorityRule(), ExtensionRule(), CertificateFieldRule(), CriticalityRule(),
            KeyIdentifierRule(), PurposeRule(profile: .webPKI),
        ]
        func refused(_ anchor: AnchorOrigin) -> [String] {
            roots.flatMap { root in
                rules.compactMap { rule in
                    let candidate = CandidatePath([server, root], date: noon, anchor: anchor)
                    guard case .refused(_, let reason) = rule.verdict(on: candidate) else { return nil }
                    return reason
                }
            }
        }
        #expect(refused(.system) == [])
        #expect(refused(.caller).allSatisfy { !$0.contains("key is") && !$0.contains("malformed") })
    }

    @Test func `below the system's roots the form of the root and wildcards of an operator are accepted`() throws {
        var profile = CertificateProfile.authority
        profile.replacedExtensions["basicConstraints"] = "CA:TRUE"
        let root = try LocalCertificateAuthority(name: "Old Root", validity: .atNoon, profile: profile)
        let file = FileManager.default.temporaryDirectory.appending(path: "linchpin-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        try root.certificate.pem.write(to: file, atomically: true, encoding: .utf8)
        let system = try TrustRoots.bundle(at: file.path(percentEncoded: false))
        let given = TrustRoots.certificates([root.certificate])
        func code(_ host: String, _ roots: TrustRoots) throws -> TrustError.Code? {
            let parent = host.split(separator: ".").dropFirst().joined(separator: ".")
            let server = try root.issue([.dns("*.\(parent)")], validity: .atNoon)
            return try refusal(by: DefaultTrustEvaluator(roots: roots), of: server.chain, host: host)?.code
        }
        #expect(try code("bucket.s3.amazonaws.com", system) == nil)
        #expect(try code("shop.co.uk", system) == .hostMismatch)
        #expect(try code("api.example.com", system) == nil)
        #expect(try code("api.example.com", given) == .chainInvalid)
    }
}
