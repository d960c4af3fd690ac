import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTesting
import Testing

@Suite struct CredentialsTests {
    private static let right = "Basic \(Data("Ädmin:p:w".utf8).base64EncodedString())"

    /// A server that asks for Basic.
    private func world() throws -> World {
        try World { request in
            request.header("Authorization") == Self.right
                ? .text("secret")
                : .init(status: 401, headers: [.init("WWW-Authenticate", #"Basic realm="r", charset="UTF-8""#)])
        }
    }

    private func credential(_ user: String = "Ädmin", _ password: String = "p:w") -> URLCredential {
        URLCredential(user: user, password: password, persistence: .none)
    }

    @Test func `a server that asks gets the credential, and not before`() async throws {
        let world = try world()
        let plugin = CredentialsPlugin { target in
            #expect(target is Call, "the target is handed on unwrapped")
            return target.path == "open" ? nil : credential()
        }
        let provider = EndpointProvider<MultiTarget>(session: world.session, plugins: [plugin])
        #expect(try await provider.request(MultiTarget(world.call("a"))).mapString() == "secret")
        #expect(world.server.log.requests.map { $0.header("Authorization") } == [nil, Self.right])
        #expect(try await provider.request(MultiTarget(world.call("open"))).statusCode == 401)
    }

    @Test func `a wrong one, and a field of the target's own, end with the 401`() async throws {
        let world = try world()
        let wrong = world.provider(plugins: [CredentialsPlugin { _ in credential("Ädmin", "other") }])
        #expect(try await wrong.request(world.call()).statusCode == 401)
        let provider = world.provider(plugins: [CredentialsPlugin { _ in credential() }])
        let before = world.server.log.requests.count
        #expect(try await provider.request(world.call { $0.headers = ["Authorization": "own"] }).statusCode == 401)
        #expect(world.server.log.requests.dropFirst(before).map { $0.header("Authorization") } == ["own"])
        #expect(try await provider.request(world.call()).statusCode == 200)
    }

    @Test func `a user with a colon stops the request`() async throws {
        let world = try world()
        let provider = world.provider(plugins: [CredentialsPlugin { _ in credential("a:b", "s3cret") }])
        let error = await #expect(throws: ProviderError.self) { try await provider.request(world.call()) }
        guard case .urlRequestValidationFailed(.invalidCredential) = error?.sessionError else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect((error?.underlyingError as? TargetError)?.field == "credential")
        #expect(error.map { "\($0)" }?.contains("s3cret") == false)
        #expect(world.server.log.connections == 0)
    }

    @Test func `a plugin of the caller's own can give one, also to a stream`() async throws {
        struct Own: PluginType {
            func willSend(_ request: any RequestType, target: any TargetType) {
                request.authenticate(username: "x", password: "y").authenticate(username: "Ädmin", password: "p:w")
                #expect(!"\(request)".contains("p:w"))
                var text = ""
                dump(request, to: &text)
                #expect(!text.contains("p:w"))
            }
        }
        let world = try world()
        let provider = world.provider(plugins: [Own()])
        #expect(try await provider.request(world.call()).mapString() == "secret")
        var body = Data()
        for try await part in provider.requestStream(world.call()) { body += part }
        #expect(body == Data("secret".utf8))
    }
}
