internal import Dispatch
package import Foundation
package import LinchpinTesting
package import LinchpinTrust
internal import Synchronization

/// An authority whose books `openssl ca` keeps and whose OCSP responses `openssl ocsp` signs.
///
/// Both take the time from the clock, so that everything here is judged at the present time.
package final class RevokingAuthority: Sendable {
    package static let host = "api.example.com"

    package let authority: LocalCertificateAuthority
    package let directory: TemporaryDirectory

    package init(name: String = "Revoking Root") throws {
        authority = try LocalCertificateAuthority(name: name)
        directory = try TemporaryDirectory()
        try directory.write("", to: "index.txt")
        try directory.write("1000\n", to: "crlnumber")
        try directory.write(authority.certificate.pem, to: "ca.pem")
        try directory.write(authority.privateKey.pem, to: "ca.key")
        try directory.write(
            """
            [ca]
            default_ca = books
            [books]
            database = \(directory.path)/index.txt
            crlnumber = \(directory.path)/crlnumber
            certificate = \(directory.path)/ca.pem
            private_key = \(directory.path)/ca.key
            default_md = sha256
            default_crl_days = 1
            unique_subject = no
            """,
            to: "ca.cnf"
        )
    }

    package var roots: TrustRoots { .certificates([authority.certificate]) }

    /// A server whose certificate says where to ask, or that it staples.
    package func server(
        responder: String? = "http://127.0.0.1:1/ocsp",
        list: String? = "http://127.0.0.1:1/ca.crl",
        mustStaple: Bool = false
    ) throws -> ServerIdentity {
        var profile = CertificateProfile.server
        if let responder { profile.additionalExtensions.append(.init("authorityInfoAccess", "OCSP;URI:\(responder)")) }
        if let list { profile.additionalExtensions.append(.init("crlDistributionPoints", "URI:\(list)")) }
        if mustStaple { profile.additionalExtensions.append(.init("tlsfeature", "status_request")) }
        return try authority.issue([.dns(Self.host), .dns("localhost")], profile: profile)
    }

    /// Enters a certificate in the books, as a good one.
    package func enter(_ certificate: Certificate) async throws { try await book("-valid", certificate) }

    /// Revokes a certificate that was entered.
    package func revoke(_ certificate: Certificate) async throws { try await book("-revoke", certificate) }

    private func book(_ option: String, _ certificate: Certificate) async throws {
        let path = try directory.write(certificate.pem, to: "\(UUID().uuidString).pem")
        try await ChildProcess.run("openssl", ["ca", "-config", directory.path(of: "ca.cnf"), option, path])
    }

    /// The list of what was revoked up to now, PEM.
    ///
    /// - Parameters:
    ///   - extensions: lines of OpenSSL's configuration, of a section `list` and those that it names.
    ///   - more: further arguments of `openssl ca`.
    package func list(days: Int = 1, extensions: String? = nil, more: [String] = []) async throws -> String {
        let path = directory.path(of: "\(UUID().uuidString).crl")
        var config = directory.path(of: "ca.cnf")
        var words = ["-gencrl", "-crldays", "\(days)", "-out", path] + more
        if let extensions {
            let text = try String(contentsOfFile: config, encoding: .utf8)
            config = try directory.write("\(text)\n[list]\n\(extensions)\n", to: "\(UUID().uuidString).cnf")
            words += ["-crlexts", "list"]
        }
        try await ChildProcess.run("openssl", ["ca", "-config", config] + words)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// The responder's answer to a question.
    ///
    /// - Parameters:
    ///   - signer: who signs; nil for the authority itself.
    ///   - minutes: how long the answer counts; nil for one that does not say.
    package func answer(
        _ request: Data,
        signer: ServerIdentity? = nil,
        minutes: Int? = 60,
        more: [String] = []
    ) async throws -> Data {
        let question = try directory.write(request, to: "\(UUID().uuidString).req")
        return try await answer(["-reqin", question], signer, minutes, more)
    }

    /// An answer without a question's nonce, to be stapled.
    ///
    /// - Parameters:
    ///   - others: what it is about beside the certificate, in front of it.
    package func staple(
        for certificate: Certificate,
        and others: [Certificate] = [],
        signer: ServerIdentity? = nil,
        minutes: Int? = 60,
        more: [String] = []
    ) async throws -> Data {
        let paths = try (others + [certificate]).map { try directory.write($0.pem, to: "\(UUID().uuidString).pem") }
        let ca = directory.path(of: "ca.pem")
        let question = directory.path(of: "\(UUID().uuidString).req")
        try await ChildProcess.run(
            "openssl",
            ["ocsp", "-issuer", ca] + paths.flatMap { ["-cert", $0] } + ["-no_nonce", "-reqout", question]
        )
        return try await answer(["-reqin", question], signer, minutes, more)
    }

    private func answer(
        _ question: [String],
        _ signer: ServerIdentity?,
        _ minutes: Int?,
        _ more: [String]
    ) async throws
        -> Data
    {
        let ca = directory.path(of: "ca.pem")
        var (certificate, key) = (ca, directory.path(of: "ca.key"))
        if let signer {
            certificate = try directory.write(signer.certificate.pem, to: "\(UUID().uuidString).pem")
            key = try directory.write(signer.privateKeyPEM, to: "\(UUID().uuidString).key")
        }
        let path = directory.path(of: "\(UUID().uuidString).der")
        let words =
            ["ocsp", "-index", directory.path(of: "index.txt"), "-CA", ca, "-rsigner", certificate, "-rkey", key]
            + question + ["-respout", path] + (minutes.map { ["-nmin", "\($0)"] } ?? []) + more
        try await ChildProcess.run("openssl", words)
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// A responder that answers questions over HTTP as `openssl ocsp` does, by the books as they are then. Its log has
    /// the questions.
    ///
    /// - Parameters:
    ///   - isReady: whether it answers; else with 500.
    package func responder(isReady: Bool = true) throws -> LocalTLSServer {
        try LocalTLSServer.plain { [self] request in isReady ? response(to: request) : .init(status: 500) }
    }

    /// What the responder says to a request. Waits for it, as a connection's own thread may.
    package func response(to request: LocalTLSServer.Request) -> LocalTLSServer.Response {
        guard request.header("Content-Type") == "application/ocsp-request" else { return .init(status: 500) }
        let done = DispatchSemaphore(value: 0)
        let answer = Answer()
        Task.detached { [self, body = request.body] in
            let response = try? await self.answer(body)
            answer.body.withLock { $0 = response }
            done.signal()
        }
        done.wait()
        let headers = [LocalTLSServer.Header("Content-Type", "application/ocsp-response")]
        return .init(headers: headers, body: answer.body.withLock { $0 } ?? Data())
    }

    private final class Answer: Sendable {
        let body = Mutex<Data?>(nil)
    }
}
