import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// What is offered by ALPN.
@Suite struct ApplicationProtocolTests {
    struct Row: CustomTestStringConvertible {
        let session: SessionConfiguration.HTTPVersion
        let host: TLSSettings.ApplicationProtocols?
        let spoken: String
        var testDescription: String { "\(session), \(host.map { "\($0)" } ?? "nothing said") → \(spoken)" }
    }

    @Test(arguments: [
        Row(session: .http2, host: nil, spoken: "HTTP/2.0"), Row(session: .http1, host: nil, spoken: "HTTP/1.1"),
        Row(session: .http2, host: .http1, spoken: "HTTP/1.1"), Row(session: .http1, host: .http2, spoken: "HTTP/2.0"),
        Row(session: .http2, host: .notOffered, spoken: "HTTP/1.1"),
    ])
    func `a host's own settings are put before the session's version`(_ row: Row) async throws {
        let world = try World()
        let server = try await NginxServer.start(
            identity: .init(certificateChain: world.identity.chainPEM, privateKey: world.identity.privateKeyPEM),
            version: .http2,
            body: "hello"
        )
        let settings = try HostTLSSettings(["localhost": TLSSettings(applicationProtocols: row.host)])
        let configuration = SessionConfiguration.with { ($0.httpVersion, $0.hostTLSSettings) = (row.session, settings) }
        let session = Session(configuration: configuration, serverTrustManager: try world.manager())
        #expect(await session.request("https://localhost:\(server.port)/").serializingData().response.text == "hello")
        #expect(try await server.accessLog(atLeast: 1).map(\.httpVersion) == [row.spoken])
        server.stop()
    }

    @Test(arguments: [nil, TLSSettings.ApplicationProtocols.http1, .http2, .notOffered])
    func `the extension is left out only when that is asked`(
        _ protocols: TLSSettings.ApplicationProtocols?
    ) async throws {
        let chosen = protocols == .notOffered ? nil : "http/1.1"
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let settings = try TLSSettings(applicationProtocols: protocols)
        let session = Session(
            configuration: .with { $0.tlsSettings = settings },
            serverTrustManager: try world.manager()
        )
        #expect(await session.get(server.url).text == "hello")
        // A stream goes over HTTP/1.1 and offers no more than other requests do.
        for try await _ in session.streamRequest(server.url).streamTask().streamingData() {}
        #expect(server.log.handshakes.map(\.applicationProtocol).allSatisfy { $0 == chosen })
        #expect(!server.log.handshakes.isEmpty)
    }
}
