import Dispatch
import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@testable import LinchpinSession

@Suite struct AuthenticationInterceptorTests {
    struct Token: AuthenticationCredential, Equatable {
        let number: Int
        var requiresRefresh = false
        var field: String { "Bearer \(number)" }
    }

    struct Refused: Error {}

    /// Tokens that are numbers; the refresh is answered when the test says so.
    final class Tokens: Authenticator {
        typealias Completion = @Sendable (Result<Token, any Error>) -> Void
        let waiting = Mutex<[(Token, Completion)]>([])
        let refreshes = Counter()
        /// What a refresh is answered with at once; nil leaves it waiting.
        let answer: (@Sendable (Token) -> Result<Token, any Error>)?

        init(answer: (@Sendable (Token) -> Result<Token, any Error>)? = nil) { self.answer = answer }

        func apply(_ credential: Token, to urlRequest: inout URLRequest) {
            urlRequest.setValue(credential.field, forHTTPHeaderField: "Authorization")
        }

        func refresh(_ credential: Token, for session: Session, completion: @escaping Completion) {
            refreshes.add()
            if let answer { return completion(answer(credential)) }
            waiting.withLock { $0.append((credential, completion)) }
        }

        func didRequest(
            _ urlRequest: URLRequest,
            with response: HTTPURLResponse,
            failDueToAuthenticationError error: any Error
        ) -> Bool { response.statusCode == 401 }

        func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
            urlRequest.value(forHTTPHeaderField: "Authorization") == credential.field
        }

        /// Answers the refresh that waits.
        func end(_ result: Result<Token, any Error>) {
            let waiting = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for (_, completion) in waiting { completion(result) }
        }
    }

    /// A server that lets in the tokens from some number on.
    ///
    /// - Parameters:
    ///   - gate: what each refusal waits for, so that all requests are on their way before the first one comes.
    private func server(from lowest: Int, gate: DispatchSemaphore? = nil) throws -> LocalTLSServer {
        try LocalTLSServer.plain { request in
            let number = request.header("Authorization").flatMap { Int($0.dropFirst("Bearer ".count)) } ?? 0
            if number >= lowest { return .text("in") }
            gate?.wait()
            return .text("out", status: 401)
        }
    }

    private func responses(
        _ count: Int,
        of session: Session,
        _ url: URL
    ) async -> [DataResponse<Data, SessionError>] {
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask { await session.request(url).wantingSuccess().serializingData().response }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `fifty requests that are refused at once lead to one refresh, and each is sent again once`() async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let server = try server(from: 2, gate: gate)
        let tokens = Tokens()
        let interceptor = AuthenticationInterceptor(authenticator: tokens, credential: Token(number: 1))
        let session = Session(interceptor: interceptor)
        async let responses = responses(50, of: session, server.url)
        #expect(await server.waitUntil { $0.requestCount == 50 })
        for _ in 0..<50 { gate.signal() }
        #expect(try await eventually(within: 30) { tokens.refreshes.value == 1 })
        tokens.end(.success(Token(number: 2)))
        #expect(await responses.map(\.text) == Array(repeating: "in", count: 50))
        #expect(tokens.refreshes.value == 1)
        #expect(server.log.requests.count == 100)
        #expect(server.log.requests.filter { $0.header("Authorization") == "Bearer 2" }.count == 50)
        #expect(interceptor.credential == Token(number: 2))
    }

    @Test func `a late refusal of an older credential leads to no other refresh`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LocalTLSServer.plain { request in
            guard request.header("Authorization") == "Bearer 1" else { return .text("in") }
            // The answer is on its way while the other request's refresh begins and ends.
            if request.path == "/late" { gate.wait() }
            return .text("out", status: 401)
        }
        let tokens = Tokens { .success(Token(number: $0.number + 1)) }
        let session = Session(
            interceptor: AuthenticationInterceptor(authenticator: tokens, credential: Token(number: 1))
        )
        async let late = responses(5, of: session, server.url(host: "localhost", path: "/late"))
        #expect(await server.waitUntil { $0.requestCount == 5 })
        #expect(await responses(1, of: session, server.url).map(\.text) == ["in"])
        for _ in 0..<5 { gate.signal() }
        #expect(await late.map(\.text) == Array(repeating: "in", count: 5))
        #expect(tokens.refreshes.value == 1)
        #expect(server.log.requests.count == 12)
    }

    @Test func `a credential that needs a refresh is not sent`() async throws {
        let server = try server(from: 2)
        let tokens = Tokens { .success(Token(number: $0.number + 1)) }
        let session = Session(
            interceptor: AuthenticationInterceptor(
                authenticator: tokens,
                credential: Token(number: 1, requiresRefresh: true)
            )
        )
        #expect(await responses(20, of: session, server.url).map(\.text) == Array(repeating: "in", count: 20))
        #expect(tokens.refreshes.value == 1)
        #expect(server.log.requests.count == 20)
    }

    @Test func `a refresh that fails ends every request that waits for it with its error`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try server(from: 2, gate: gate)
        let tokens = Tokens()
        let session = Session(
            interceptor: AuthenticationInterceptor(authenticator: tokens, credential: Token(number: 1))
        )
        async let refused = responses(10, of: session, server.url)
        #expect(await server.waitUntil { $0.requestCount == 10 })
        for _ in 0..<10 { gate.signal() }
        #expect(try await eventually(within: 30) { tokens.refreshes.value == 1 })
        tokens.end(.failure(Refused()))
        // Those whose refusal came only then begin another one.
        let watch = Task {
            while !Task.isCancelled {
                tokens.end(.failure(Refused()))
                await Task.yield()
            }
        }
        for response in await refused {
            guard case .requestRetryFailed(let retryError, let original) = response.error else {
                Issue.record("\(response)")
                continue
            }
            #expect(retryError is Refused)
            #expect((original as? SessionError)?.underlyingError is UnwantedStatus)
        }
        watch.cancel()
        #expect(server.log.requests.count == 10)
    }

    @Test func `a request that waits for a refresh before it is sent ends with its error`() async throws {
        let server = try server(from: 1)
        let tokens = Tokens { _ in .failure(Refused()) }
        let session = Session(
            interceptor: AuthenticationInterceptor(
                authenticator: tokens,
                credential: Token(number: 1, requiresRefresh: true)
            )
        )
        guard case .requestAdaptationFailed(let error) = await session.get(server.url).error else {
            Issue.record("it was sent")
            return
        }
        #expect(error is Refused)
        #expect(server.log.connections == 0)
    }

    @Test func `without a credential nothing is sent`() async throws {
        let server = try server(from: 1)
        let interceptor = AuthenticationInterceptor(authenticator: Tokens())
        let session = Session(interceptor: interceptor)
        guard case .requestAdaptationFailed(let error) = await session.get(server.url).error else {
            Issue.record("it was sent")
            return
        }
        #expect(error as? AuthenticationError == .missingCredential)
        #expect(server.log.connections == 0)
        interceptor.credential = Token(number: 1)
        #expect(await session.get(server.url).text == "in")
    }

    @Test func `a server that refuses every credential ends the refreshes`() async throws {
        let server = try server(from: 1_000)
        let tokens = Tokens { .success(Token(number: $0.number + 1)) }
        let session = Session(
            interceptor: AuthenticationInterceptor(
                authenticator: tokens,
                credential: Token(number: 1),
                refreshWindow: RefreshWindow(interval: 600, maximumAttempts: 3)
            )
        )
        let response = await session.request(server.url).wantingSuccess().serializingData().response
        guard case .requestRetryFailed(let error, _) = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(error as? AuthenticationError == .excessiveRefresh)
        #expect(tokens.refreshes.value == 3)
        #expect(server.log.requests.count == 4)
    }

    @Test func `a request that is cancelled while it waits ends at once, and the others go on`() async throws {
        let server = try server(from: 2)
        let tokens = Tokens()
        let session = Session(
            interceptor: AuthenticationInterceptor(authenticator: tokens, credential: Token(number: 1))
        )
        let first = session.request(server.url).wantingSuccess()
        async let cancelled = first.serializingData().response
        #expect(try await eventually(within: 30) { tokens.refreshes.value == 1 })
        async let other = session.get(server.url)
        first.cancel()
        #expect(await cancelled.error?.isExplicitlyCancelledError == true)
        tokens.end(.success(Token(number: 2)))
        #expect(await other.text == "in")
        #expect(tokens.refreshes.value == 1)
        #expect(server.log.requests.map { $0.header("Authorization") } == ["Bearer 1", "Bearer 2"])
    }

    @Test func `a credential that is taken away during a refresh does not come back with it`() async throws {
        let server = try server(from: 2)
        let tokens = Tokens()
        let interceptor = AuthenticationInterceptor(authenticator: tokens, credential: Token(number: 1))
        let session = Session(interceptor: interceptor)
        async let response = session.request(server.url).wantingSuccess().serializingData().response
        #expect(try await eventually(within: 30) { tokens.refreshes.value == 1 })
        interceptor.credential = nil
        guard case .requestRetryFailed(let error, _) = await response.error else {
            Issue.record("the request did not end")
            return
        }
        #expect(error as? AuthenticationError == .missingCredential)
        tokens.end(.success(Token(number: 2)))
        #expect(interceptor.credential == nil)
    }

    @Test func `a credential that is put in force during a refresh is used`() async throws {
        let server = try server(from: 2)
        let tokens = Tokens()
        let interceptor = AuthenticationInterceptor(authenticator: tokens, credential: Token(number: 1))
        let session = Session(interceptor: interceptor)
        async let response = session.request(server.url).wantingSuccess().serializingData().response
        #expect(try await eventually(within: 30) { tokens.refreshes.value == 1 })
        interceptor.credential = Token(number: 7)
        #expect(await response.text == "in")
        tokens.end(.failure(Refused()))
        #expect(interceptor.credential == Token(number: 7))
    }

    @Test func `a refusal by another origin leads to no refresh`() async throws {
        let other = try server(from: 2)
        let server = try LocalTLSServer.plain { _ in .redirect(to: other.url.absoluteString) }
        let tokens = Tokens { .success(Token(number: $0.number + 1)) }
        let session = Session(
            interceptor: AuthenticationInterceptor(authenticator: tokens, credential: Token(number: 1))
        )
        let response = await session.request(server.url).wantingSuccess().serializingData().response
        #expect(response.status == 401)
        #expect(tokens.refreshes.value == 0)
        #expect(other.log.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test func `refreshes that lie before the window do not count`() {
        var state = RefreshState(credential: Token(number: 1), window: RefreshWindow(interval: 30, maximumAttempts: 2))
        func begins(at now: TimeInterval) -> Bool {
            guard case .refresh(_, let number) = state.want(version: state.version, isGood: false, now: now, { _ in })
            else { return false }
            _ = state.refreshed(number, .success(Token(number: 1)))
            return true
        }
        #expect([0, 10, 20, 29, 30, 31, 40].map { begins(at: $0) } == [true, true, false, false, true, false, true])
    }
}
