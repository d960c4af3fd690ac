import COpenSSL
import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// What a server staples is judged inside the handshake, in both versions of TLS.
@Suite struct StapleTests {
    private let authority: RevokingAuthority

    init() throws { authority = try RevokingAuthority() }

    private func judge(
        _ options: RevocationTrustEvaluator.Options,
        cache: RevocationCache = RevocationCache(),
        at date: Date
    ) throws -> HandshakeJudge {
        let evaluator = RevocationTrustEvaluator(options: options, cache: cache, roots: authority.roots)
        let policy = TrustPolicy(evaluator: evaluator, pattern: nil, isExplicit: true, generation: 1, tag: "1/x")
        return HandshakeJudge(identity: try ReferenceIdentity(host: RevokingAuthority.host), policy: policy) { date }
    }

    /// How a handshake ends: nil where the server is accepted and a request could go out.
    private func refusal(
        _ server: ServerIdentity,
        _ staple: Data?,
        _ version: Int32,
        _ options: RevocationTrustEvaluator.Options,
        isBounded: Bool = true,
        at date: Date = Date()
    ) throws -> TrustError.Code? {
        let judge = try judge(options, at: date)
        let handshake = try MemoryHandshake(
            judges: ConnectionJudges(server: judge, proxy: nil),
            server: .init(identity: server, version: version, staple: staple)
        )
        handshake.run()
        #expect(handshake.isComplete == (judge.refusal == nil), "\(handshake.errors)")
        if let refusal = judge.refusal {
            // Nothing could be sent on it either.
            #expect(throws: TrustError.self) { try judge.review(connection: UnsafeMutableRawPointer(handshake.client)) }
            return refusal.code
        }
        let verdict = try judge.review(connection: UnsafeMutableRawPointer(handshake.client))
        if staple != nil, isBounded { #expect(verdict.validUntil < date + 3_700) }
        return nil
    }

    private static let strict: RevocationTrustEvaluator.Options = [
        .ocsp, .networkAccessDisabled, .requirePositiveResponse,
    ]

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a good staple lets the server in, and only that`(version: Int32) async throws {
        let (server, revoked) = (try authority.server(), try authority.server())
        for server in [server, revoked] { try await authority.enter(server.certificate) }
        try await authority.revoke(revoked.certificate)
        let good = try await authority.staple(for: server.certificate)
        let bad = try await authority.staple(for: revoked.certificate)
        #expect(try refusal(server, good, version, Self.strict) == nil)
        #expect(try refusal(server, nil, version, Self.strict) == .revocationUnknown)
        #expect(try refusal(revoked, bad, version, Self.strict) == .revoked)
        #expect(try refusal(revoked, good, version, Self.strict) == .revocationResponseInvalid)
        #expect(try refusal(server, good, version, Self.strict, at: Date() + 7_200) == .revocationResponseInvalid)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a staple that cannot be relied upon is refused even where none is required`(version: Int32) async throws {
        let server = try authority.server()
        try await authority.enter(server.certificate)
        let foreign = try RevokingAuthority(name: "Revoking Root")
        let signer = ServerIdentity(
            certificate: foreign.authority.certificate,
            privateKey: foreign.authority.privateKey
        )
        let forged = try await authority.staple(for: server.certificate, signer: signer)
        let good = try await authority.staple(for: server.certificate)
        let lenient: RevocationTrustEvaluator.Options = [.any, .networkAccessDisabled]
        #expect(try refusal(server, good, version, lenient) == nil)
        #expect(try refusal(server, nil, version, lenient) == nil)
        #expect(try refusal(server, forged, version, lenient) == .revocationResponseInvalid)
        #expect(try refusal(server, Data("garbage".utf8), version, lenient) == .revocationResponseInvalid)
        // Where OCSP is not looked at, neither is a staple.
        #expect(try refusal(server, forged, version, [.crl, .networkAccessDisabled], isBounded: false) == nil)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a certificate that promises a staple is refused without one`(version: Int32) async throws {
        let (server, plain) = (try authority.server(mustStaple: true), try authority.server())
        try await authority.enter(server.certificate)
        let good = try await authority.staple(for: server.certificate)
        for options: RevocationTrustEvaluator.Options in [
            [.any, .networkAccessDisabled], [.crl, .networkAccessDisabled], Self.strict,
        ] {
            #expect(try refusal(server, good, version, options) == nil)
            #expect(try refusal(server, nil, version, options) == .stapleMissing)
        }
        #expect(try refusal(plain, nil, version, [.any, .networkAccessDisabled]) == nil)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `pins that only report do so once for each handshake`(version: Int32) async throws {
        let server = try authority.server()
        try await authority.enter(server.certificate)
        let staple = try await authority.staple(for: server.certificate)
        let queue = DispatchQueue(label: "reports")
        let reports = AsyncStream<PinFailureReport>.makeStream()
        let pins = try PublicKeyPinsTrustEvaluator(
            pins: ["sha256/\(Data(repeating: 7, count: 32).base64EncodedString())"],
            requiresBackupPin: false,
            onMismatch: .reportOnly(PinFailureHandler(queue: queue) { reports.continuation.yield($0) }),
            roots: authority.roots
        )
        let evaluators: [any ServerTrustEvaluating] = [
            // Judged twice in TLS 1.2, once, and refused at the first look.
            CompositeTrustEvaluator(evaluators: [
                pins, RevocationTrustEvaluator(options: Self.strict, roots: authority.roots),
            ]),
            pins,
            CompositeTrustEvaluator(evaluators: [pins, try PublicKeyPinsTrustEvaluator.nobody()]),
        ]
        for evaluator in evaluators {
            let policy = TrustPolicy(evaluator: evaluator, pattern: nil, isExplicit: true, generation: 1, tag: "1/x")
            let judge = HandshakeJudge(identity: try ReferenceIdentity(host: RevokingAuthority.host), policy: policy) {
                Date()
            }
            try MemoryHandshake(
                judges: ConnectionJudges(server: judge, proxy: nil),
                server: .init(identity: server, version: version, staple: staple)
            ).run()
        }
        // The queue is serial: what was sent is there before this.
        queue.sync { reports.continuation.finish() }
        #expect(await reports.stream.reduce(into: 0) { count, _ in count += 1 } == evaluators.count)
    }

    @Test func `a server that is its own anchor cannot keep such a promise`() throws {
        for promises in [true, false] {
            var profile = CertificateProfile.server
            if promises { profile.additionalExtensions = [.init("tlsfeature", "status_request")] }
            let server = try authority.authority.issue([.dns(RevokingAuthority.host)], profile: profile)
            let evaluator = RevocationTrustEvaluator(roots: .certificates([server.certificate]))
            let policy = TrustPolicy(evaluator: evaluator, pattern: nil, isExplicit: true, generation: 1, tag: "1/x")
            let judge = HandshakeJudge(identity: try ReferenceIdentity(host: RevokingAuthority.host), policy: policy) {
                Date()
            }
            let handshake = try MemoryHandshake(
                judges: ConnectionJudges(server: judge, proxy: nil),
                server: .init(identity: server)
            )
            handshake.run()
            #expect(judge.refusal?.code == (promises ? .stapleMissing : nil))
        }
    }

    @Test func `a certificate that promises a staple in a way that cannot be read promises one`() async throws {
        var profile = CertificateProfile.server
        profile.additionalExtensions = [.init("1.3.6.1.5.5.7.1.24", "DER:05:00")]
        let server = try authority.authority.issue([.dns(RevokingAuthority.host)], profile: profile)
        #expect(try refusal(server, nil, TLS1_3_VERSION, [.any, .networkAccessDisabled]) != nil)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a resumed session counts as long as the staple of the full handshake`(version: Int32) async throws {
        let server = try authority.server(mustStaple: true)
        try await authority.enter(server.certificate)
        let staple = try await authority.staple(for: server.certificate)
        let settings = MemoryHandshake.Server(identity: server, version: version, staple: staple)
        let cache = RevocationCache()
        let full = try MemoryHandshake(
            judges: ConnectionJudges(server: judge(Self.strict, cache: cache, at: Date()), proxy: nil),
            server: settings
        )
        full.run()
        full.exchange()
        #expect(full.isComplete, "\(full.errors)")
        let session = SSL_get1_session(full.client)
        defer { SSL_SESSION_free(session) }
        // Another full handshake without one is refused, whatever is remembered.
        let forgetful = try judge(Self.strict, cache: cache, at: Date())
        let second = try MemoryHandshake(
            judges: ConnectionJudges(server: forgetful, proxy: nil),
            server: .init(identity: server, version: version)
        )
        second.run()
        #expect(forgetful.refusal?.code == .stapleMissing)
        for (cache, date, code) in [
            (cache, Date(), nil), (RevocationCache(), Date(), .stapleMissing), (cache, Date() + 7_200, .stapleMissing),
        ] as [(RevocationCache, Date, TrustError.Code?)] {
            let judge = try judge(Self.strict, cache: cache, at: date)
            let resumed = try MemoryHandshake(
                judges: ConnectionJudges(server: judge, proxy: nil),
                server: settings,
                resuming: session,
                serverContext: full.sharedServerContext
            )
            resumed.run()
            #expect(resumed.isComplete, "\(resumed.errors)")
            #expect(SSL_session_reused(resumed.client) == 1)
            let connection = UnsafeMutableRawPointer(resumed.client)
            if let code {
                #expect(throws: TrustError(code, reason: "")) { try judge.review(connection: connection) }
            } else {
                #expect(try judge.review(connection: connection).validUntil < date + 3_700)
            }
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a judge is asked once, and another evaluator's refusal counts before the staple`(version: Int32) async throws
    {
        let server = try authority.server()
        try await authority.enter(server.certificate)
        let staple = try await authority.staple(for: server.certificate)
        let evaluator = CompositeTrustEvaluator(evaluators: [
            RevocationTrustEvaluator(options: Self.strict, roots: authority.roots),
            PinnedCertificatesTrustEvaluator(certificates: [authority.authority.certificate], roots: authority.roots),
        ])
        let manager = try ServerTrustManager(evaluators: [
            RevokingAuthority.host: evaluator,
            "localhost": CompositeTrustEvaluator(evaluators: [evaluator, PublicKeyPinsTrustEvaluator.nobody()]),
        ])
        let decisions = AsyncStream<TrustDecision>.makeStream()
        manager.observeDecisions(on: DispatchQueue(label: "decisions")) { decisions.continuation.yield($0) }
        for host in [RevokingAuthority.host, "localhost"] {
            let identity = try ReferenceIdentity(host: host)
            let judge = HandshakeJudge(identity: identity, policy: try manager.policy(for: identity, port: 1)) {
                Date()
            }
            let handshake = try MemoryHandshake(
                judges: ConnectionJudges(server: judge, proxy: nil),
                server: .init(identity: server, version: version, staple: staple)
            )
            handshake.run()
        }
        var codes: [TrustError.Code?] = []
        for await decision in decisions.stream {
            codes.append(decision.refusal?.code)
            if codes.count == 2 { break }
        }
        #expect(codes == [nil, .pinMismatch])
    }
}

extension PublicKeyPinsTrustEvaluator {
    /// Accepts nobody.
    static func nobody() throws -> PublicKeyPinsTrustEvaluator {
        let pin = "sha256/\(Data(repeating: 7, count: 32).base64EncodedString())"
        return try PublicKeyPinsTrustEvaluator(pins: [pin], requiresBackupPin: false, performDefaultValidation: false)
    }
}
