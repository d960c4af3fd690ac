import Foundation
import Linchpin
import LinchpinTesting
import Testing

/// The README's example, word for word.
private func example() async throws -> String {
    // The example begins.
    // A self-signed server, such as a developer has.
    let identity = try LocalCertificateAuthority.selfSigned()
    let server = try LocalTLSServer(identity: identity) { request in .text("hello \(request.path)") }

    // For localhost trust its certificate and no other; no other host is spoken to.
    let manager = try ServerTrustManager(evaluators: [
        "localhost": PinnedCertificatesTrustEvaluator(
            certificates: [identity.certificate],
            acceptSelfSignedCertificates: true
        )
    ])
    let session = Session(serverTrustManager: manager)
    let response = await session.request(server.url(host: "localhost", path: "/you")).serializingData().response

    // With another certificate this is .serverTrustEvaluationFailed, and the server has seen no byte of HTTP.
    let text = String(decoding: try response.result.get(), as: UTF8.self)
    // The example ends.
    return text
}

@Suite struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func readme() throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    }

    @Test func `the README's example runs`() async throws {
        #expect(try await example() == "hello /you")
    }

    @Test func `the README's example is the one that runs`() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8).components(separatedBy: "\n")
        let begin = try #require(source.firstIndex(of: "    // The example begins."))
        let end = try #require(source.firstIndex(of: "    // The example ends."))
        let example = source[(begin + 1)..<end].map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : $0 }
        #expect(try readme().contains(example.joined(separator: "\n")))
    }

    @Test func `the README is short`() throws {
        #expect(try readme().components(separatedBy: "\n").count < 150)
    }
}
