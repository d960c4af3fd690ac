import Foundation
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinSession

/// What the environment must not change; each in a process of its own.
@Suite struct EnvironmentTests {
    @Test func `no file gets the keys of connections, whatever SSLKEYLOGFILE says`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let file = directory.path(of: "keys")
            // Read by libcurl when it is initialised.
            setenv("SSLKEYLOGFILE", file, 1)
            let world = try World()
            let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
            let session = Session(serverTrustManager: try world.manager())
            try #require(await session.get(server.url).text == "hello")
            await session.invalidate()
            let written = FileManager.default.contents(atPath: file) ?? Data()
            try #require(written.isEmpty, "\(written.count) bytes of keys were written")
        }
    }
}
