import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// Lists that the issuer signed and that still do not say of a certificate that it was not revoked.
@Suite struct RevocationListKindTests {
    private let authority: RevokingAuthority
    private let server: ServerIdentity

    init() throws {
        authority = try RevokingAuthority()
        server = try authority.server(list: "http://127.0.0.1:1/ca.crl")
    }

    /// What becomes of the server by a list, given or fetched.
    private func outcomes(_ pem: String) throws -> [TrustError.Code?] {
        let options: RevocationTrustEvaluator.Options = [.crl, .requirePositiveResponse]
        func evaluator(
            _ lists: [CertificateRevocationList],
            _ cache: RevocationCache,
            _ more: RevocationTrustEvaluator.Options
        ) -> RevocationTrustEvaluator {
            RevocationTrustEvaluator(options: options.union(more), lists: lists, cache: cache, roots: authority.roots)
        }
        func code(_ evaluator: RevocationTrustEvaluator) throws -> TrustError? {
            try refusal(by: evaluator, of: server.chain, host: RevokingAuthority.host, at: Date())
        }
        let lists = try CertificateRevocationList.lists(pem: pem)
        let given = try code(evaluator(lists, RevocationCache(), .networkAccessDisabled))?.code
        let cache = RevocationCache()
        let demand = try #require(try code(evaluator([], cache, []))?.revocationDemands.first)
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try #require(Data(base64Encoded: base64))
        var fetched: TrustError.Code?
        do throws(TrustError) {
            try demand.supply(der, from: demand.sources[0], at: Date())
        } catch {
            fetched = error.code == .revocationResponseInvalid ? .revocationUnknown : error.code
        }
        if fetched == nil { fetched = try code(evaluator([], cache, []))?.code }
        return [given, fetched]
    }

    /// Extensions of lists in OpenSSL's words, and whether such a list says that the server is good.
    private static let kinds: [(extensions: String, isGood: Bool)] = [
        ("crlNumber = ASN1:INTEGER:9", true),
        ("issuingDistributionPoint = critical,@idp\n[idp]\nfullname = URI:http://127.0.0.1:1/ca.crl", true),
        ("issuingDistributionPoint = critical,@idp\n[idp]\nonlyuser = TRUE", true),
        // A part of the whole.
        ("2.5.29.27 = critical,ASN1:INTEGER:1\n2.5.29.20 = ASN1:INTEGER:2", false),
        ("2.5.29.27 = ASN1:INTEGER:1\n2.5.29.20 = ASN1:INTEGER:2", false),
        ("issuingDistributionPoint = critical,@idp\n[idp]\nfullname = URI:http://127.0.0.1:1/other.crl", false),
        ("issuingDistributionPoint = critical,@idp\n[idp]\nonlyCA = TRUE", false),
        ("issuingDistributionPoint = critical,@idp\n[idp]\nonlyAA = TRUE", false),
        ("issuingDistributionPoint = critical,@idp\n[idp]\nindirectCRL = TRUE", false),
        ("issuingDistributionPoint = critical,@idp\n[idp]\nonlysomereasons = keyCompromise", false),
        // Something that nobody here knows.
        ("1.2.3.4 = critical,ASN1:NULL", false),
        ("1.2.3.4 = ASN1:NULL", true),
    ]

    @Test(arguments: kinds.indices)
    func `a list that is not about all revoked certificates says nothing good`(index: Int) async throws {
        let (extensions, isGood) = Self.kinds[index]
        try await authority.enter(server.certificate)
        let list = try await authority.list(extensions: extensions)
        let code: TrustError.Code? = isGood ? nil : .revocationUnknown
        #expect(try outcomes(list) == [code, code], "\(extensions)")
    }

    @Test func `a list of changes still says who was revoked`() async throws {
        try await authority.enter(server.certificate)
        try await authority.revoke(server.certificate)
        for extensions in [
            "crlNumber = ASN1:INTEGER:9", "2.5.29.27 = critical,ASN1:INTEGER:1\n2.5.29.20 = ASN1:INTEGER:2",
        ] {
            #expect(try await outcomes(authority.list(extensions: extensions)) == [.revoked, .revoked])
        }
        #expect(try await outcomes(authority.list(more: ["-md", "sha1"])) == [.revoked, .revoked])
    }

    @Test(arguments: [("sha256", true), ("sha384", true), ("sha1", false)])
    func `a list signed over a weak digest says nothing`(digest: String, isGood: Bool) async throws {
        try await authority.enter(server.certificate)
        let list = try await authority.list(more: ["-md", digest])
        let code: TrustError.Code? = isGood ? nil : .revocationUnknown
        #expect(try outcomes(list) == [code, code])
    }

    @Test(arguments: [("sha256", true), ("sha384", true), ("sha1", false)])
    func `an answer signed over a weak digest is not taken`(digest: String, isGood: Bool) async throws {
        try await authority.enter(server.certificate)
        let evaluator = RevocationTrustEvaluator(options: .ocsp, roots: authority.roots)
        let first = try refusal(by: evaluator, of: server.chain, host: RevokingAuthority.host, at: Date())
        let demand = try #require(first?.revocationDemands.first)
        let response = try await authority.staple(for: server.certificate, more: ["-rmd", digest])
        if isGood {
            try demand.supply(response, from: demand.sources[0], at: Date())
        } else {
            let error = #expect(throws: TrustError.self) {
                try demand.supply(response, from: demand.sources[0], at: Date())
            }
            #expect(error?.code == .revocationResponseInvalid)
        }
    }
}
