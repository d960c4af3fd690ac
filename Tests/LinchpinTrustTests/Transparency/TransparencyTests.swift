import COpenSSL
import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// Signed certificate timestamps, from wherever they come, count by the logs that signed them.
@Suite struct TransparencyTests {
    private let root: LocalCertificateAuthority
    private let logs: [LocalTransparencyLog]
    private let foreignLog: LocalTransparencyLog

    init() throws {
        root = try LocalCertificateAuthority(name: "Root")
        logs = try [LocalTransparencyLog(name: "One"), LocalTransparencyLog(name: "Two")]
        foreignLog = try LocalTransparencyLog(name: "Three")
    }

    private var roots: TrustRoots { .certificates([root.certificate]) }

    private func server(_ logs: [LocalTransparencyLog] = []) throws -> ServerIdentity {
        try root.issue([.dns(World.host)], loggedBy: logs)
    }

    private func evaluator(minimumLogs: Int = 2) throws -> CertificateTransparencyTrustEvaluator {
        try CertificateTransparencyTrustEvaluator(logs: logs.map(\.log), minimumLogs: minimumLogs, roots: roots)
    }

    private func outcome(
        _ server: ServerIdentity,
        minimumLogs: Int = 2,
        at date: Date = Date()
    ) throws -> TrustError.Code? {
        try refusal(by: evaluator(minimumLogs: minimumLogs), of: server.chain, at: date)?.code
    }

    // MARK: In the certificate

    @Test func `as many logs as are wanted have to vouch for the certificate`() throws {
        #expect(try outcome(server(logs)) == nil)
        #expect(try outcome(server([logs[0]])) == .insufficientTransparency)
        #expect(try outcome(server([logs[0]]), minimumLogs: 1) == nil)
        #expect(try outcome(server(), minimumLogs: 1) == .insufficientTransparency)
    }

    @Test func `a log counts once, and one that was not given not at all`() throws {
        #expect(try outcome(server([logs[0], logs[0]])) == .insufficientTransparency)
        #expect(try outcome(server([logs[0], foreignLog])) == .insufficientTransparency)
        #expect(try outcome(server([foreignLog, logs[0], logs[1]])) == nil)
    }

    @Test func `timestamps of another certificate, issuer or time are worth nothing`() throws {
        let good = try server(logs)
        // The same extension in another certificate.
        let extensionBytes = try #require(try Self.timestamps(of: good.certificate))
        var profile = CertificateProfile.server
        profile.additionalExtensions = [.init("1.3.6.1.4.1.11129.2.4.2", "DER:\(extensionBytes)")]
        let copied = try root.issue([.dns(World.host)], profile: profile)
        #expect(try outcome(good) == nil)
        #expect(try outcome(copied) == .insufficientTransparency)
        // Logs whose clock is a day ahead.
        let early = try logs.indices.map { try LocalTransparencyLog(name: "\($0)", date: Date() + 86_400) }
        let evaluator = try CertificateTransparencyTrustEvaluator(logs: early.map(\.log), roots: roots)
        let server = try server(early)
        #expect(try refusal(by: evaluator, of: server.chain, at: Date())?.code == .insufficientTransparency)
        #expect(try refusal(by: evaluator, of: server.chain, at: Date() + 86_401) == nil)
    }

    @Test func `an extension that cannot be read is worth nothing`() throws {
        var profile = CertificateProfile.server
        profile.additionalExtensions = [.init("1.3.6.1.4.1.11129.2.4.2", "DER:04:02:00:01")]
        let server = try root.issue([.dns(World.host)], profile: profile)
        let evaluator = try CertificateTransparencyTrustEvaluator(
            logs: logs.map(\.log),
            minimumLogs: 1,
            roots: roots,
            profile: .privatePKI
        )
        #expect(try refusal(by: evaluator, of: server.chain, at: Date()) != nil)
    }

    /// The value of the certificate's extension as hexadecimal octets.
    private static func timestamps(of certificate: Certificate) throws -> String? {
        let handle = try X509Handle(parsing: certificate)
        let index = X509_get_ext_by_NID(handle.pointer, NID_ct_precert_scts, -1)
        guard index >= 0, let value = X509_EXTENSION_get_data(X509_get_ext(handle.pointer, index)) else { return nil }
        let count = Int(ASN1_STRING_length(value))
        return UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: count)
            .map { String(format: "%02X", $0) }.joined(separator: ":")
    }

    // MARK: In the handshake

    private func handshake(
        _ judge: HandshakeJudge,
        _ server: ServerIdentity,
        _ version: Int32,
        timestamps: Data? = nil,
        staple: Data? = nil
    ) throws -> MemoryHandshake {
        let handshake = try MemoryHandshake(
            judges: ConnectionJudges(server: judge, proxy: nil),
            server: .init(identity: server, version: version, staple: staple, timestamps: timestamps)
        )
        handshake.run()
        #expect(handshake.isComplete == (judge.refusal == nil), "\(handshake.errors)")
        return handshake
    }

    private func judge(_ evaluator: any ServerTrustEvaluating) throws -> HandshakeJudge {
        let policy = TrustPolicy(evaluator: evaluator, pattern: nil, isExplicit: true, generation: 1, tag: "1/x")
        return HandshakeJudge(identity: try ReferenceIdentity(host: World.host), policy: policy) { Date() }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `timestamps in the handshake's extension count`(version: Int32) throws {
        let (server, other) = (try server(), try server())
        func code(_ timestamps: Data?) throws -> TrustError.Code? {
            let judge = try judge(evaluator())
            _ = try handshake(judge, server, version, timestamps: timestamps)
            return judge.refusal?.code
        }
        let good = try LocalTransparencyLog.timestampList(of: logs, for: server.certificate)
        #expect(try code(good) == nil)
        #expect(try code(nil) == .insufficientTransparency)
        let foreign = try LocalTransparencyLog.timestampList(of: [logs[0], foreignLog], for: server.certificate)
        #expect(try code(foreign) == .insufficientTransparency)
        let others = try LocalTransparencyLog.timestampList(of: logs, for: other.certificate)
        #expect(try code(others) == .insufficientTransparency)
        #expect(try code(Data([0, 3, 0, 1, 7])) == .insufficientTransparency)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `timestamps from several places count together`(version: Int32) throws {
        let server = try server([logs[0]])
        let judge = try judge(evaluator())
        let sent = try LocalTransparencyLog.timestampList(of: [logs[1]], for: server.certificate)
        _ = try handshake(judge, server, version, timestamps: sent)
        #expect(judge.refusal == nil)
        let same = try self.judge(evaluator())
        let again = try LocalTransparencyLog.timestampList(of: [logs[0]], for: server.certificate)
        _ = try handshake(same, server, version, timestamps: again)
        #expect(same.refusal?.code == .insufficientTransparency)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `timestamps in a stapled response count`(version: Int32) async throws {
        let books = try RevokingAuthority()
        let server = try books.server()
        let response = try await books.staple(for: server.certificate)
        func code(_ logs: [LocalTransparencyLog]) throws -> TrustError.Code? {
            let given = self.logs.map(\.log)
            let judge = try judge(CertificateTransparencyTrustEvaluator(logs: given, roots: books.roots))
            let list = try LocalTransparencyLog.timestampList(of: logs, for: server.certificate)
            _ = try handshake(judge, server, version, staple: Self.response(response, with: list))
            return judge.refusal?.code
        }
        #expect(try code(logs) == nil)
        #expect(try code([logs[0], foreignLog]) == .insufficientTransparency)
    }

    /// An OCSP response with timestamps in its statement. Its own signature does not count here.
    private static func response(_ der: Data, with list: Data) throws -> Data {
        let bytes = [UInt8](der)
        let parsed = bytes.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return d2i_OCSP_RESPONSE(nil, &cursor, bytes.count)
        }
        let basic = OCSP_response_get1_basic(parsed)
        defer {
            OCSP_RESPONSE_free(parsed)
            OCSP_BASICRESP_free(basic)
        }
        let timestamps = [UInt8](list).withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return o2i_SCT_LIST(nil, &cursor, bytes.count)
        }
        defer { SCT_LIST_free(timestamps) }
        let statement = OCSP_resp_get0(basic, 0)
        let isAdded = OCSP_SINGLERESP_add1_ext_i2d(
            statement,
            NID_ct_cert_scts,
            UnsafeMutableRawPointer(timestamps),
            0,
            0
        )
        let changed = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic)
        defer { OCSP_RESPONSE_free(changed) }
        var buffer: UnsafeMutablePointer<UInt8>?
        let length = i2d_OCSP_RESPONSE(changed, &buffer)
        guard isAdded == 1, let result = Data(takingOpenSSL: buffer, length: Int(length)) else {
            throw MemoryHandshake.Failure(what: "no response")
        }
        return result
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a resumed session counts by what the full handshake brought`(version: Int32) throws {
        let server = try server()
        let sent = try LocalTransparencyLog.timestampList(of: logs, for: server.certificate)
        let evaluator = try evaluator()
        let full = try handshake(judge(evaluator), server, version, timestamps: sent)
        full.exchange()
        let session = SSL_get1_session(full.client)
        defer { SSL_SESSION_free(session) }
        for (evaluator, code) in [(evaluator, nil), (try self.evaluator(), .insufficientTransparency)]
            as [(CertificateTransparencyTrustEvaluator, TrustError.Code?)]
        {
            let judge = try judge(evaluator)
            let resumed = try MemoryHandshake(
                judges: ConnectionJudges(server: judge, proxy: nil),
                server: .init(identity: server),
                resuming: session,
                serverContext: full.sharedServerContext
            )
            resumed.run()
            #expect(SSL_session_reused(resumed.client) == 1)
            let connection = UnsafeMutableRawPointer(resumed.client)
            if let code {
                #expect(throws: TrustError(code, reason: "")) { try judge.review(connection: connection) }
            } else {
                _ = try judge.review(connection: connection)
            }
        }
    }

    // MARK: Configuration

    @Test func `logs that can vouch for nothing are a mistake`() throws {
        func code(_ logs: [TransparencyLog], _ minimum: Int) -> TrustError.Code? {
            #expect(throws: TrustError.self) {
                try CertificateTransparencyTrustEvaluator(logs: logs, minimumLogs: minimum)
            }?.code
        }
        let one = logs[0].log
        #expect(code([], 1) == .noTransparencyLogsFound)
        for (logs, minimum) in [([one], 0), ([one], 2), ([one], -1), ([one, one], 2)] {
            #expect(code(logs, minimum) == .contradictoryPolicy)
        }
        _ = try CertificateTransparencyTrustEvaluator(logs: [one], minimumLogs: 1)
    }

    @Test func `a list of logs is read in OpenSSL's format`() throws {
        let directory = try TemporaryDirectory()
        let keys = logs.map { $0.log.publicKey.der.base64EncodedString() }
        func read(_ text: String) throws -> [TransparencyLog] {
            try TransparencyLog.logs(contentsOfFile: directory.write(text, to: "logs.cnf"))
        }
        let text = """
            enabled_logs = one, two
            [one]
            description = One
            key = \(keys[0])
            [two]
            description = Two
            key = \(keys[1])
            [three]
            description = not enabled
            """
        #expect(try read(text) == logs.map(\.log))
        for (wrong, words) in [
            ("", "enabled_logs"), ("enabled_logs =", "names no log"), ("[", "no configuration"),
            ("enabled_logs = a", "description"), ("enabled_logs = a\n[a]\ndescription = A", "\"key\""),
            ("enabled_logs = a\n[a]\ndescription = A\nkey = !", "not Base64"),
            ("enabled_logs = a\n[a]\ndescription = A\nkey = AAAA", "\"A\""),
        ] {
            let error = #expect(throws: TrustError.self, "\(wrong)") { try read(wrong) }
            #expect(error?.code == .malformedTransparencyLog)
            #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
        }
        let error = #expect(throws: TrustError.self) {
            try TransparencyLog.logs(contentsOfFile: directory.path(of: "none"))
        }
        #expect(error?.code == .unreadableFile)
    }

    @Test func `the chain and the name count as usual`() throws {
        let server = try server(logs)
        let evaluator = try evaluator()
        #expect(try refusal(by: evaluator, of: server.chain, host: "b.example", at: Date())?.code == .hostMismatch)
        let foreign = try CertificateTransparencyTrustEvaluator(logs: logs.map(\.log))
        #expect(try refusal(by: foreign, of: server.chain, at: Date())?.code == .noAnchor)
        let own = try LocalCertificateAuthority.selfSigned([.dns(World.host)])
        let anchored = try CertificateTransparencyTrustEvaluator(
            logs: logs.map(\.log),
            roots: .certificates([own.certificate])
        )
        #expect(try refusal(by: anchored, of: own.chain, at: Date())?.code == .insufficientTransparency)
    }
}
