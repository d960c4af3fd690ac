import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct NetworkTests {
    struct Echo: Codable, Equatable { var method: String; var target: String; var body: String }

    @Test func `a target's request reaches a pinned server and its answer is mapped`() async throws {
        let world = try World { request in
            let echo = Echo(
                method: request.method,
                target: request.target,
                body: String(decoding: request.body, as: UTF8.self)
            )
            let json = (try? JSONEncoder().encode(["data": echo])) ?? Data()
            return .json(String(decoding: json, as: UTF8.self), headers: [.init("X-Answer", "42")])
        }
        let call = world.call("books/é") {
            $0.method = .post
            $0.task = .requestParameters(parameters: ["title": "Ulysses"], encoding: JSONEncoding.default)
            $0.headers = ["X-Question": "?"]
        }
        let response = try await world.provider().request(call)
        let echo = try response.filterSuccessfulStatusCodes().map(Echo.self, atKeyPath: "data")
        #expect(echo == Echo(method: "POST", target: "/books/%C3%A9", body: #"{"title":"Ulysses"}"#))
        #expect(response.response?.value(forHTTPHeaderField: "X-Answer") == "42")
        #expect(response.request?.httpMethod == "POST")
        let request = try #require(world.server.log.requests.first)
        #expect(request.header("X-Question") == "?")
        #expect(request.header("Content-Type") == "application/json")
    }

    @Test func `a server with another key is refused and gets no byte of the request`() async throws {
        let wrongPin = "sha256/\(Data(repeating: 7, count: 32).base64EncodedString())"
        let world = try World(pin: wrongPin)
        let provider = world.provider(plugins: [AccessTokenPlugin { _ in "s3cret" }])
        let call = world.call { $0.authorizationType = .bearer }
        let error = await #expect(throws: ProviderError.self) { try await provider.request(call) }
        guard case .underlying(SessionError.serverTrustEvaluationFailed(let reason), nil) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(reason.code == .pinMismatch)
        #expect(error?.trustError?.code == .pinMismatch)
        #expect(error?.errorDescription?.contains(wrongPin) == true)
        #expect(error.map { "\($0)" }?.contains("s3cret") == false)
        #expect(await world.server.waitUntil { $0.handshakeCount == 1 })
        #expect(world.server.log.bytesReceived == 0)
    }

    @Test func `a GET with a body is refused before it is sent`() async throws {
        let world = try World()
        let call = world.call {
            $0.task = .requestParameters(parameters: ["a": 1], encoding: JSONEncoding.default)
        }
        let error = await #expect(throws: ProviderError.self) { try await world.provider().request(call) }
        guard case .parameterEncoding(let cause as TargetError) = error,
            case SessionError.urlRequestValidationFailed(.bodyDataInGETRequest) = cause.cause, cause.field == "task"
        else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(world.server.log.connections == 0)
    }

    @Test func `a session that starts nothing by itself serves a provider all the same`() async throws {
        var configuration = SessionConfiguration()
        configuration.startRequestsImmediately = false
        let world = try World(configuration: configuration)
        #expect(try await world.provider().request(world.call()).mapString() == "hello")
    }

    @Test func `a redirect's last request and answer are those of the response`() async throws {
        let world = try World { $0.path == "/old" ? .redirect(to: "/new") : .text("new") }
        let response = try await world.provider().request(world.call("old"))
        #expect(response.request?.url?.path == "/new")
        #expect(try response.mapString() == "new")
    }

    @Test func `an empty answer is no error`() async throws {
        let world = try World { _ in .init(status: 204) }
        let response = try await world.provider().request(world.call())
        #expect(response.statusCode == 204)
        #expect(response.data.isEmpty)
    }

    @Test func `a request outlives its provider and then lets everything go`() async throws {
        let server = try LocalTLSServer.plain { _ in .init(body: Data("late".utf8), fault: .delay(seconds: 0.05)) }
        weak var provider: EndpointProvider<Call>?
        weak var session: Session?
        let call = Call(server.url)
        let tokens = Recorder<any Cancellable>()
        let text = await withCheckedContinuation { continuation in
            let local = EndpointProvider<Call>()
            provider = local
            session = local.session
            tokens.record(local.request(call) { continuation.resume(returning: $0.summary) })
        }
        #expect(text == "200 late")
        #expect(provider == nil)
        #expect(try await eventually { session == nil })
        // A token that is kept keeps nothing else.
        #expect(tokens.events.count == 1)
    }
}
