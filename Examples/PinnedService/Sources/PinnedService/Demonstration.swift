import Foundation
import FoundationNetworking
import LinchpinTesting

/// A service of the demonstration's own, and the command lines that are tried with it.
struct Demonstration {
    private let authority: LocalCertificateAuthority
    private let identity: ServerIdentity
    private let server: LocalTLSServer
    private let directory: URL

    init() throws {
        authority = try LocalCertificateAuthority()
        identity = try authority.issue()
        server = try LocalTLSServer(identity: identity) { request in
            guard request.header("Authorization") == "Bearer t0ken" else { return .text("who are you?", status: 401) }
            return request.method == "POST"
                ? .json(#"{"id":3,"name":"ladder"}"#, status: 201)
                : .json(#"[{"id":1,"name":"bolt"},{"id":2,"name":"nut"}]"#)
        }
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        try Data(authority.certificate.pem.utf8).write(to: directory.appending(path: "ca.pem"))
        try Data("t0ken\n".utf8).write(to: directory.appending(path: "token"))
        try Data("stolen\n".utf8).write(to: directory.appending(path: "other-token"))
    }

    /// - Returns: whether every command line did what it should.
    func run() async -> Bool {
        defer { try? FileManager.default.removeItem(at: directory) }
        let pin = identity.pin.description
        let other = "sha256/\(String(repeating: "A", count: 43))="
        let isRight = await [
            attempt("the pinned service is asked", pin, "token", ["list"], expected: 0),
            attempt("the pinned service is told", pin, "token", ["add", "ladder"], expected: 0),
            attempt(
                "the authority's key is pinned",
                authority.certificate.publicKeyPin.description,
                "token",
                ["list"],
                expected: 0
            ),
            attempt("a token that is not ours", pin, "other-token", ["list"], expected: 1),
        ]
        let bytes = server.log.bytesReceived
        let isRefused = await attempt("a service with another key", other, "token", ["list"], expected: 1)
        print("the refused service got \(server.log.bytesReceived - bytes) bytes of the request")
        return isRight.allSatisfy { $0 } && isRefused && server.log.bytesReceived == bytes
    }

    private func attempt(
        _ what: String,
        _ pin: String,
        _ token: String,
        _ words: [String],
        expected: Int32
    ) async -> Bool {
        print("\n# \(what)\n$ pinned-service … \(words.joined(separator: " "))")
        let options = [
            "--url", server.url.absoluteString, "--ca", directory.appending(path: "ca.pem").path, "--pin", pin,
            "--token-file", directory.appending(path: token).path,
        ]
        let status = await Command(options + words)?.run()
        print(status == expected ? "ended with \(expected), as it should" : "WRONG: ended with \(status ?? 2)")
        return status == expected
    }
}
