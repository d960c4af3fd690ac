import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// What becomes of a server by what its issuer says, fetched or at hand; see StapleTests for what it says itself.
@Suite struct RevocationTests {
    private let authority: RevokingAuthority
    private let server: ServerIdentity
    private let cache = RevocationCache()

    init() throws {
        authority = try RevokingAuthority()
        server = try authority.server()
    }

    private func evaluator(
        _ options: RevocationTrustEvaluator.Options = .any,
        lists: [CertificateRevocationList] = []
    ) -> RevocationTrustEvaluator {
        RevocationTrustEvaluator(options: options, lists: lists, cache: cache, roots: authority.roots)
    }

    private func outcome(
        _ options: RevocationTrustEvaluator.Options = .any,
        lists: [CertificateRevocationList] = [],
        of server: ServerIdentity? = nil,
        at date: Date = Date()
    ) throws -> TrustError? {
        let chain = (server ?? self.server).chain
        return try refusal(by: evaluator(options, lists: lists), of: chain, host: RevokingAuthority.host, at: date)
    }

    /// The demand that a first judgement ends with.
    private func demand(
        _ options: RevocationTrustEvaluator.Options = .any,
        of server: ServerIdentity? = nil
    ) throws -> RevocationDemand {
        let error = try #require(try outcome(options, of: server))
        #expect(error.code == .revocationInformationNeeded)
        try #require(error.revocationDemands.count == 1)
        return error.revocationDemands[0]
    }

    private func request(_ source: RevocationDemand.Source?) throws -> Data {
        guard case .ocsp(_, let request)? = source else { throw MemoryHandshake.Failure(what: "no request") }
        return request
    }

    // MARK: Asking

    @Test func `what is not at hand is demanded, with where it is`() throws {
        let both = try demand()
        #expect(both.certificate == server.certificate)
        #expect(both.sources.map(\.url) == ["http://127.0.0.1:1/ocsp", "http://127.0.0.1:1/ca.crl"])
        #expect(
            try demand([.any, .preferCRL]).sources.map(\.url)
                == ["http://127.0.0.1:1/ca.crl", "http://127.0.0.1:1/ocsp"]
        )
        #expect(try demand(.ocsp).sources.map(\.url) == ["http://127.0.0.1:1/ocsp"])
        #expect(try demand(.crl).sources.map(\.url) == ["http://127.0.0.1:1/ca.crl"])
    }

    @Test func `nobody is asked over anything but plain HTTP`() throws {
        let server = try authority.server(responder: "https://127.0.0.1:1/", list: "ldap://127.0.0.1/cn=x")
        #expect(try outcome(of: server) == nil)
        #expect(try outcome([.any, .requirePositiveResponse], of: server)?.code == .revocationUnknown)
    }

    @Test func `nobody is asked where that is forbidden`() throws {
        #expect(try outcome([.any, .networkAccessDisabled]) == nil)
        let strict: RevocationTrustEvaluator.Options = [.any, .networkAccessDisabled, .requirePositiveResponse]
        #expect(try outcome(strict)?.code == .revocationUnknown)
    }

    @Test func `when nobody answers it depends on what has to be known`() throws {
        try demand().giveUp(at: Date())
        #expect(try outcome() == nil)
        #expect(try outcome([.any, .requirePositiveResponse])?.code == .revocationUnknown)
        // After a while it is asked again.
        #expect(try outcome(at: Date() + 301)?.code == .revocationInformationNeeded)
    }

    @Test func `what one evaluator could not learn is asked elsewhere by another`() throws {
        try demand(.crl).giveUp(at: Date())
        #expect(try outcome(.crl) == nil)
        #expect(try demand(.ocsp).sources.map(\.url) == ["http://127.0.0.1:1/ocsp"])
        #expect(try demand(.any).sources.map(\.url) == ["http://127.0.0.1:1/ocsp"])
        try demand(.ocsp).giveUp(at: Date())
        #expect(try outcome(.any) == nil)
    }

    @Test func `a clock that was set back keeps nobody from asking`() throws {
        try demand().giveUp(at: Date() + 86_400)
        #expect(try outcome()?.code == .revocationInformationNeeded)
        try demand().giveUp(at: Date())
        #expect(try outcome() == nil)
    }

    @Test func `an answer settles the demands that it can answer`() async throws {
        try await authority.enter(server.certificate)
        let (list, responder) = (try demand(.crl), try demand(.ocsp))
        let base64 = try await authority.list().split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try #require(Data(base64Encoded: base64))
        try list.supply(der, from: list.sources[0], at: Date())
        #expect(list.isSettled(at: Date()))
        #expect(!responder.isSettled(at: Date()))
        #expect(try outcome(.ocsp)?.code == .revocationInformationNeeded)
        let response = try await authority.answer(request(responder.sources.first))
        try responder.supply(response, from: responder.sources[0], at: Date())
        #expect(responder.isSettled(at: Date()))
        #expect(try outcome(.ocsp) == nil)
    }

    @Test func `a server that was let in unchecked is told of`() async throws {
        let manager = try ServerTrustManager(evaluators: [
            RevokingAuthority.host: evaluator([.any, .networkAccessDisabled])
        ])
        let decisions = AsyncStream<TrustDecision>.makeStream()
        manager.observeDecisions(on: .global()) { decisions.continuation.yield($0) }
        let identity = try ReferenceIdentity(host: RevokingAuthority.host)
        let policy = try manager.policy(for: identity, port: 443)
        _ = try HandshakeJudge(identity: identity, policy: policy) { Date() }.evaluate(presentedChain: server.chain)
        for await decision in decisions.stream {
            #expect(decision.notices == [.revocationUnchecked])
            break
        }
    }

    // MARK: OCSP

    @Test func `a good answer lets the server in until it ends`() async throws {
        try await authority.enter(server.certificate)
        let demand = try demand()
        let response = try await authority.answer(request(demand.sources.first), minutes: 60)
        try demand.supply(response, from: demand.sources[0], at: Date())
        let strict: RevocationTrustEvaluator.Options = [.any, .requirePositiveResponse]
        #expect(try outcome(strict) == nil)
        #expect(try outcome(strict, at: Date() + 3_500) == nil)
        #expect(try outcome(strict, at: Date() + 3_700)?.code == .revocationInformationNeeded)
        let policy = TrustPolicy(evaluator: evaluator(strict), pattern: nil, isExplicit: true, generation: 1, tag: "x")
        let judge = HandshakeJudge(identity: try ReferenceIdentity(host: RevokingAuthority.host), policy: policy) {
            Date()
        }
        let end = try judge.evaluate(presentedChain: server.chain).validUntil
        #expect(abs(end.timeIntervalSinceNow - 3_600) < 60)
    }

    @Test func `a revoked certificate is refused`() async throws {
        try await authority.enter(server.certificate)
        try await authority.revoke(server.certificate)
        let demand = try demand()
        try demand.supply(
            await authority.answer(request(demand.sources.first)),
            from: demand.sources[0],
            at: Date()
        )
        #expect(try outcome()?.code == .revoked)
        // Nothing makes it good again while that counts.
        demand.giveUp(at: Date())
        #expect(try outcome()?.code == .revoked)
    }

    @Test func `a certificate that the responder does not know is refused`() async throws {
        let demand = try demand()
        let response = try await authority.answer(request(demand.sources.first))
        try demand.supply(response, from: demand.sources[0], at: Date())
        #expect(try outcome()?.code == .revocationUnknown)
    }

    @Test func `an answer without an end counts for an hour`() async throws {
        try await authority.enter(server.certificate)
        let demand = try demand()
        let response = try await authority.answer(request(demand.sources.first), minutes: nil)
        try demand.supply(response, from: demand.sources[0], at: Date())
        #expect(try outcome(at: Date() + 3_500) == nil)
        #expect(try outcome(at: Date() + 3_700)?.code == .revocationInformationNeeded)
    }

    /// An answer that is no answer.
    enum Fault: CaseIterable {
        case none, delegated, expired, fromTheFuture, foreignKey, foreignDelegate, notDelegated, otherCertificate
        case expiredDelegate, futureDelegate, delegateBelowAnother
        case otherIssuer, otherNonce, tryLater, garbage, trailingByte
    }

    @Test(arguments: Fault.allCases)
    func `an answer that cannot be relied upon is not taken`(fault: Fault) async throws {
        try await authority.enter(server.certificate)
        let demand = try demand()
        var request = try request(demand.sources.first)
        var (signer, date): (ServerIdentity?, Date) = (nil, Date())
        var response: Data?
        var signing = CertificateProfile()
        signing.extendedKeyUsages = [.ocspSigning]
        let foreign = try RevokingAuthority(name: fault == .foreignKey ? "Revoking Root" : "Foreign Root")
        switch fault {
        case .none, .trailingByte: break
        case .delegated: signer = try authority.authority.issue([], commonName: "Responder", profile: signing)
        case .expired: date += 7_200
        case .fromTheFuture: date -= 3_600
        case .foreignKey:
            signer = ServerIdentity(
                certificate: foreign.authority.certificate,
                privateKey: foreign.authority.privateKey
            )
        case .foreignDelegate: signer = try foreign.authority.issue([], commonName: "Responder", profile: signing)
        case .expiredDelegate, .futureDelegate:
            let (from, to) = fault == .expiredDelegate ? (-7_200.0, -60.0) : (60.0, 7_200.0)
            let validity = Validity(from: Date() + from, to: Date() + to)
            signer = try authority.authority
                .issue([], commonName: "Responder", validity: validity, profile: signing)
        case .delegateBelowAnother:
            // The right root, and not the certificate's own issuer.
            let other = try authority.authority.intermediate()
            signer = try other.issue([], commonName: "Responder", profile: signing)
        case .notDelegated: signer = try authority.authority.issue([], commonName: "Responder", profile: .server)
        case .otherCertificate:
            let other = try authority.server()
            try await authority.enter(other.certificate)
            request = try self.request(self.demand(of: other).sources.first)
        case .otherIssuer:
            try await foreign.enter(server.certificate)
            response = try await foreign.staple(for: server.certificate)
        case .otherNonce: request = try self.request(self.demand().sources.first)
        case .tryLater: response = Data([0x30, 0x03, 0x0A, 0x01, 0x03])
        case .garbage: response = Data("<html>".utf8)
        }
        if response == nil { response = try await authority.answer(request, signer: signer) }
        var answer = try #require(response)
        if fault == .trailingByte { answer.append(0) }
        if fault == .none || fault == .delegated {
            try demand.supply(answer, from: demand.sources[0], at: date)
            #expect(try outcome([.any, .requirePositiveResponse], at: date) == nil)
        } else {
            let error = #expect(throws: TrustError.self) {
                try demand.supply(answer, from: demand.sources[0], at: date)
            }
            #expect(error?.code == .revocationResponseInvalid)
            #expect(try outcome(at: date)?.code == .revocationInformationNeeded)
            demand.giveUp(at: date)
            #expect(try outcome(at: date) == nil)
            #expect(try outcome([.any, .requirePositiveResponse], at: date)?.code == .revocationUnknown)
        }
    }

    @Test func `of many statements those about the certificate count`() async throws {
        let others = try (0..<3).map { _ in try authority.server() }
        for server in others + [server] { try await authority.enter(server.certificate) }
        let good = try await authority.staple(for: server.certificate, and: others.map(\.certificate))
        try await authority.revoke(others[0].certificate)
        let stillGood = try await authority.staple(for: server.certificate, and: others.map(\.certificate))
        try await authority.revoke(server.certificate)
        let revoked = try await authority.staple(for: server.certificate, and: others.map(\.certificate))
        let foreign = try await authority.staple(for: others[1].certificate, and: [others[2].certificate])
        for (response, code) in [(good, nil), (stillGood, nil), (revoked, .revoked)] as [(Data, TrustError.Code?)] {
            cache.removeAll()
            let demand = try demand()
            try demand.supply(response, from: demand.sources[0], at: Date())
            #expect(try outcome([.any, .requirePositiveResponse])?.code == code)
        }
        cache.removeAll()
        let demand = try demand()
        let error = #expect(throws: TrustError.self) {
            try demand.supply(foreign, from: demand.sources[0], at: Date())
        }
        #expect(error?.code == .revocationResponseInvalid)
    }

    @Test func `an answer without a nonce is taken`() async throws {
        try await authority.enter(server.certificate)
        let demand = try demand()
        let response = try await authority.staple(for: server.certificate)
        try demand.supply(response, from: demand.sources[0], at: Date())
        #expect(try outcome([.any, .requirePositiveResponse]) == nil)
    }

    // MARK: Lists

    @Test func `a list that was given says who was revoked`() async throws {
        let other = try authority.server()
        for server in [server, other] { try await authority.enter(server.certificate) }
        try await authority.revoke(other.certificate)
        let lists = try await CertificateRevocationList.lists(pem: authority.list())
        let strict: RevocationTrustEvaluator.Options = [.crl, .requirePositiveResponse]
        #expect(try outcome(strict, lists: lists) == nil)
        #expect(try outcome(strict, lists: lists, of: other)?.code == .revoked)
        #expect(try outcome(lists: lists, of: other)?.code == .revoked)
        // It is not looked at where only responders are asked.
        #expect(try outcome([.ocsp, .networkAccessDisabled], lists: lists, of: other) == nil)
    }

    @Test func `a list that cannot be relied upon says nothing`() async throws {
        try await authority.enter(server.certificate)
        try await authority.revoke(server.certificate)
        let list = try await CertificateRevocationList.lists(pem: authority.list())
        let foreign = try RevokingAuthority(name: "Revoking Root")
        let foreignList = try await CertificateRevocationList.lists(pem: foreign.list())
        let offline: RevocationTrustEvaluator.Options = [.crl, .networkAccessDisabled]
        #expect(try outcome(offline, lists: foreignList) == nil)
        #expect(try outcome(offline.union(.requirePositiveResponse), lists: foreignList)?.code == .revocationUnknown)
        let later = Date() + 90_000
        #expect(try outcome(offline, lists: list, at: later) == nil)
        #expect(
            try outcome(offline.union(.requirePositiveResponse), lists: list, at: later)?.code == .revocationUnknown
        )
        #expect(try outcome(offline, lists: foreignList + list)?.code == .revoked)
    }

    @Test func `a list that was fetched counts until its end, for every server of its issuer`() async throws {
        let other = try authority.server()
        for server in [server, other] { try await authority.enter(server.certificate) }
        try await authority.revoke(other.certificate)
        let demand = try demand(.crl)
        let pem = try await authority.list(days: 1)
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try #require(Data(base64Encoded: base64))
        try demand.supply(der, from: demand.sources[0], at: Date())
        let strict: RevocationTrustEvaluator.Options = [.crl, .requirePositiveResponse]
        #expect(try outcome(strict) == nil)
        #expect(try outcome(strict, of: other)?.code == .revoked)
        #expect(try outcome(strict, at: Date() + 90_000)?.code == .revocationInformationNeeded)
    }

    @Test func `a fetched list of somebody else is not taken`() async throws {
        let foreign = try RevokingAuthority(name: "Revoking Root")
        let demand = try demand(.crl)
        let pem = try await foreign.list()
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try #require(Data(base64Encoded: base64))
        let error = #expect(throws: TrustError.self) { try demand.supply(der, from: demand.sources[0], at: Date()) }
        #expect(error?.code == .revocationResponseInvalid)
        let broken = #expect(throws: TrustError.self) {
            try demand.supply(der.dropLast(), from: demand.sources[0], at: Date())
        }
        #expect(broken?.code == .malformedRevocationList)
    }

    @Test func `a revoked intermediate is refused as the leaf is`() async throws {
        let intermediate = try authority.authority.intermediate()
        let server = try intermediate.issue([.dns(RevokingAuthority.host)])
        try await authority.enter(intermediate.certificate)
        let before = try await CertificateRevocationList.lists(pem: authority.list())
        try await authority.revoke(intermediate.certificate)
        let after = try await CertificateRevocationList.lists(pem: authority.list())
        #expect(try outcome(.crl, lists: before, of: server) == nil)
        cache.removeAll()
        #expect(try outcome(.crl, lists: after, of: server)?.code == .revoked)
    }

    // MARK: Configuration

    @Test func `options that check nothing are a mistake`() throws {
        for options: RevocationTrustEvaluator.Options in [[], .requirePositiveResponse, [.ocsp, .preferCRL]] {
            #expect(try outcome(options)?.code == .contradictoryPolicy)
            let error = #expect(throws: TrustError.self) {
                try ServerTrustManager(evaluators: ["a.example": evaluator(options)])
            }
            #expect(error?.code == .contradictoryPolicy)
        }
    }

    @Test func `the chain and the name count as usual`() throws {
        let chain = server.chain
        let offline: RevocationTrustEvaluator.Options = [.any, .networkAccessDisabled]
        #expect(try refusal(by: evaluator(offline), of: chain, host: "b.example", at: Date())?.code == .hostMismatch)
        let foreign = RevocationTrustEvaluator(options: offline)
        #expect(try refusal(by: foreign, of: chain, at: Date())?.code == .noAnchor)
        let unvalidated = RevocationTrustEvaluator(performDefaultValidation: false, options: offline)
        #expect(try refusal(by: unvalidated, of: chain, at: Date())?.code == .noAnchor)
        let both = CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(roots: authority.roots), unvalidated])
        #expect(try refusal(by: both, of: chain, at: Date()) == nil)
    }

    @Test func `a server that is itself the anchor is not known to be good`() throws {
        let own = try LocalCertificateAuthority.selfSigned([.dns(RevokingAuthority.host)])
        func code(_ options: RevocationTrustEvaluator.Options) throws -> TrustError.Code? {
            let evaluator = RevocationTrustEvaluator(options: options, roots: .certificates([own.certificate]))
            return try refusal(by: evaluator, of: own.chain, at: Date())?.code
        }
        #expect(try code(.any) == nil)
        #expect(try code([.any, .requirePositiveResponse]) == .revocationUnknown)
    }

    @Test(arguments: [
        ("", "no PEM block"), ("-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n", "PEM block 1"),
        ("-----BEGIN X509 CRL-----\n", "broken"),
    ])
    func `a text that is no list is told so`(text: String, words: String) {
        let error = #expect(throws: TrustError.self) { try CertificateRevocationList.lists(pem: text) }
        #expect(error?.code == .malformedRevocationList)
        #expect(error?.reason.contains(words) == true)
    }

    @Test func `lists are read from files of both forms`() async throws {
        let pem = try await authority.list()
        let path = try authority.directory.write(pem, to: "list.pem")
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try authority.directory.write(try #require(Data(base64Encoded: base64)), to: "list.der")
        for path in [path, der] {
            #expect(try CertificateRevocationList.lists(contentsOfFile: path).first?.nextUpdate != nil)
        }
        let error = #expect(throws: TrustError.self) {
            try CertificateRevocationList.lists(contentsOfFile: authority.directory.path(of: "none"))
        }
        #expect(error?.code == .unreadableFile)
        let certificate = authority.directory.path(of: "ca.pem")
        let other = #expect(throws: TrustError.self) {
            try CertificateRevocationList.lists(contentsOfFile: certificate)
        }
        #expect(other?.code == .malformedRevocationList)
    }
}
