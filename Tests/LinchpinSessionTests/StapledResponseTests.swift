import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// A session asks servers to staple an OCSP response, and judges it before a request goes out.
@Suite struct StapledResponseTests {
    /// Signs an OCSP response about a server of the world's, with its serial number in the books or not.
    private func response(
        about server: ServerIdentity,
        by authority: LocalCertificateAuthority,
        in directory: TemporaryDirectory,
        isRevoked: Bool
    ) async throws -> String {
        let ca = try directory.write(authority.certificate.pem, to: "ca.pem")
        let key = try directory.write(authority.privateKey.pem, to: "ca.key")
        let leaf = try directory.write(server.certificate.pem, to: "leaf.pem")
        let books = try directory.write("", to: "index.txt")
        let config = try directory.write(
            """
            [ca]
            default_ca = books
            [books]
            database = \(books)
            certificate = \(ca)
            private_key = \(key)
            default_md = sha256
            unique_subject = no
            """,
            to: "ca.cnf"
        )
        try await ChildProcess.run("openssl", ["ca", "-config", config, "-valid", leaf])
        if isRevoked { try await ChildProcess.run("openssl", ["ca", "-config", config, "-revoke", leaf]) }
        let question = directory.path(of: "question.der")
        let answer = directory.path(of: "answer.der")
        try await ChildProcess.run(
            "openssl",
            ["ocsp", "-issuer", ca, "-cert", leaf, "-no_nonce", "-reqout", question]
        )
        try await ChildProcess.run(
            "openssl",
            ["ocsp", "-index", books, "-CA", ca, "-rsigner", ca, "-rkey", key, "-reqin", question]
                + ["-respout", answer, "-nmin", "60"]
        )
        return answer
    }

    private enum Staple: CaseIterable { case good, revoked, none }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a staple of a real server decides`(version: String) async throws {
        for staple in Staple.allCases {
            let (root, directory) = (try LocalCertificateAuthority(), try TemporaryDirectory())
            let server = try root.issue()
            let path = try await response(about: server, by: root, in: directory, isRevoked: staple == .revoked)
            let process = try await OpenSSLServer.start(
                certificateChain: server.chainPEM,
                privateKey: server.privateKeyPEM,
                arguments: [version] + (staple == .none ? [] : ["-status_file", path])
            )
            let evaluator = RevocationTrustEvaluator(
                options: [.any, .networkAccessDisabled, .requirePositiveResponse],
                roots: .certificates([root.certificate])
            )
            let session = Session(serverTrustManager: try ServerTrustManager(evaluators: ["localhost": evaluator]))
            let response = await session.get(try #require(URL(string: "https://localhost:\(process.port)/")))
            switch staple {
            case .good: #expect(response.status == 200, "\(process.output)")
            case .revoked: #expect(response.refusal == .revoked)
            case .none: #expect(response.refusal == .revocationUnknown)
            }
            process.stop()
        }
    }
}
