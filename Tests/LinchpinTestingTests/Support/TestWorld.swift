import LinchpinTesting

/// An authority, its root in a file, and a directory for a test.
final class TestWorld {
    let authority: LocalCertificateAuthority
    let directory: TemporaryDirectory
    let roots: String

    init() throws {
        authority = try LocalCertificateAuthority()
        directory = try TemporaryDirectory()
        roots = try authority.writeCertificate(to: directory.path, name: "root")
    }

    /// A server whose leaf is for this machine.
    func server(
        _ configuration: LocalTLSServer.Configuration = .init(),
        handler: @escaping @Sendable (LocalTLSServer.Request) -> LocalTLSServer.Response = { _ in .text("hello") }
    ) throws -> LocalTLSServer {
        try LocalTLSServer(identity: authority.issue(), configuration: configuration, handler: handler)
    }

    /// The path of a file that need not exist.
    func path(_ name: String) -> String { "\(directory.path)/\(name)" }
}
