import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Frames of a server that ends streams and connections (RFC 9113).
@Suite struct HTTP2FaultTests {
    private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []) -> Data {
        Data([0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload)
    }

    private static let settings = frame(4)
    /// `:status: 200` and the end of the stream.
    private static let answer = frame(1, flags: 5, stream: 1, [0x88])

    private static func reset(_ error: UInt8) -> Data { frame(3, stream: 1, [0, 0, 0, error]) }

    private static func goAway(last: UInt8, error: UInt8) -> Data { frame(7, [0, 0, 0, last, 0, 0, 0, error]) }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frames: Data
        let codes: Set<TransportError.Code>
    }

    static let rows = [
        Row(testDescription: "RST_STREAM, INTERNAL_ERROR", frames: settings + reset(2), codes: [.connectionLost]),
        Row(testDescription: "RST_STREAM, ENHANCE_YOUR_CALM", frames: settings + reset(11), codes: [.connectionLost]),
        Row(
            testDescription: "a head, then RST_STREAM",
            frames: settings + frame(1, flags: 4, stream: 1, [0x88]) + reset(8),
            codes: [.connectionLost]
        ),
        Row(
            testDescription: "GOAWAY, INTERNAL_ERROR",
            frames: settings + goAway(last: 0, error: 2),
            codes: [.connectionLost, .badServerResponse]
        ),
        Row(
            testDescription: "a frame for a stream that nobody opened",
            frames: settings + frame(1, flags: 5, stream: 9, [0x88]),
            codes: [.badServerResponse, .connectionLost]
        ),
        Row(
            testDescription: "fields that cannot be decoded",
            frames: settings + frame(1, flags: 5, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            codes: [.badServerResponse, .connectionLost]
        ),
        Row(
            testDescription: "HTTP/1",
            frames: Data("HTTP/1.1 200 OK\r\n\r\n".utf8),
            codes: [.badServerResponse, .connectionLost]
        ),
        Row(testDescription: "settings only", frames: settings, codes: [.connectionLost, .badServerResponse]),
    ]

    /// The server does not wait for the request. Where its frames come first, they are for a stream that is not there
    /// yet, and all is tried again.
    private func send(_ request: URLRequest, by session: Session) async -> DataResponse<Data, SessionError> {
        var response = await session.request(request, timeouts: Timeouts(idle: 20)).serializingData().response
        for _ in 0..<9 where response.error?.transportError?.curlCode == 16 {
            response = await session.request(request, timeouts: Timeouts(idle: 20)).serializingData().response
        }
        return response
    }

    @Test(arguments: rows)
    func `a stream or connection that ends is an error, and the session goes on`(_ row: Row) async throws {
        let server = try LocalTLSServer.plain(configuration: .init(connectionFault: .raw(row.frames)))
        let session = Session(configuration: .with { $0.httpVersion = .http2PriorKnowledge })
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        let response = await send(request, by: session)
        let code = response.error?.transportError?.code
        #expect(code.map(row.codes.contains) == true, "\(String(describing: response.error))")
        server.setConnectionFault(.raw(Self.settings + Self.answer))
        let next = await send(request, by: session)
        #expect(next.status == 200, "\(String(describing: next.error))")
    }

    /// nginx says GOAWAY after so many requests, when those that run are answered.
    @Test func `a connection that its server retires is replaced, and no request lost`() async throws {
        let world = try World()
        let nginx = try await NginxServer.start(
            identity: .init(certificateChain: world.identity.chainPEM, privateKey: world.identity.privateKeyPEM),
            serverConfiguration: "keepalive_requests 3;"
        )
        let url = try #require(URL(string: "https://localhost:\(nginx.port)/"))
        let session = Session(serverTrustManager: try world.manager())
        for _ in 0..<4 {
            #expect(await session.get(url).status == 200)
            let response = await session.upload(Data("body".utf8), to: url).serializingData().response
            #expect(response.status == 200, "\(String(describing: response.error))")
        }
        // Those that come too late are refused, and may be sent again. libcurl 7.88 does not say so of a POST.
        await withTaskGroup { group in
            for _ in 0..<24 { group.addTask { await session.get(url) } }
            for await response in group {
                #expect(response.status == 200, "\(String(describing: response.error))")
            }
        }
        nginx.stop()
    }
}
