import Alamofire
import LinchpinTesting
import Moya
import Testing

/// Puts a field into every request and has a failed one sent again, once.
private struct Again: RequestInterceptor {
    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        var request = urlRequest
        request.setValue("1", forHTTPHeaderField: "X-Adapted")
        completion(.success(request))
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(request.retryCount == 0 ? .retry : .doNotRetry)
    }
}

@Suite struct SessionTests {
    @Test(arguments: ["all", "accept", "send", "storage"])
    func `cookies are kept unless the configuration says no`(_ what: String) async throws {
        let world = try PinnedServer { _ in .init(headers: [.init("Set-Cookie", "a=1; Secure; Path=/")]) }
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.httpCookieStorage = .shared
        switch what {
        case "accept": configuration.httpCookieAcceptPolicy = .never
        case "send": configuration.httpShouldSetCookies = false
        case "storage": configuration.httpCookieStorage = nil
        default: break
        }
        let session = Session(
            configuration: configuration,
            serverTrustManager: ServerTrustManager(evaluators: world.evaluators())
        )
        for _ in 0..<2 { _ = await session.request(world.root).serializingData().response }
        #expect(world.server.log.requests.map { $0.header("Cookie") } == [nil, what == "all" ? "a=1" : nil])
        #expect((session.sessionConfiguration.httpCookieStorage == nil) == (what != "all"))
    }

    @Test func `interceptor, redirect handler, time-outs and monitors are taken over`() async throws {
        let world = try PinnedServer { request in
            request.path == "/old" ? .redirect(to: "/new") : .text("busy", status: 503)
        }
        let finished = ClosureEventMonitor(queue: DispatchQueue(label: "monitor"))
        let configuration = URLSessionConfiguration.af.default
        configuration.timeoutIntervalForRequest = 7
        configuration.timeoutIntervalForResource = 70
        configuration.httpMaximumConnectionsPerHost = 3
        let session = Session(
            configuration: configuration,
            rootQueue: DispatchQueue(label: "root"),
            startRequestsImmediately: false,
            interceptor: Again(),
            serverTrustManager: ServerTrustManager(evaluators: world.evaluators()),
            redirectHandler: Redirector(behavior: .doNotFollow),
            eventMonitors: [finished]
        )
        let redirect = session.request(world.root.appendingPathComponent("old")).resume()
        #expect(await redirect.serializingData().response.response?.statusCode == 302)
        let provider = MoyaProvider<MultiTarget>(session: session)
        let error = await #expect(throws: MoyaError.self) {
            try await provider.request(MultiTarget(Busy(baseURL: world.root)))
        }
        #expect(error?.response?.statusCode == 503)
        let requests = world.server.log.requests
        #expect(requests.allSatisfy { $0.header("X-Adapted") == "1" })
        #expect(requests.filter { $0.path == "/busy" }.count == 2)
        #expect(!requests.contains { $0.path == "/new" })
        #expect(session.sessionConfiguration.timeoutIntervalForRequest == 7)
        #expect(session.sessionConfiguration.timeoutIntervalForResource == 70)
        #expect(session.sessionConfiguration.httpMaximumConnectionsPerHost == 3)
    }

    private struct Busy: TargetType {
        let baseURL: URL
        let path = "busy"
        let method = Moya.Method.get
        let task = Moya.Task.requestPlain
        let headers: [String: String]? = nil
        let validationType = ValidationType.successCodes
    }

    /// Lets names that are deprecated be used without a warning.
    private protocol Older { func tasks(_ parts: [MultipartFormBodyPart]) -> [Moya.Task] }
    private struct Tasks: Older {
        @available(*, deprecated)
        func tasks(_ parts: [MultipartFormBodyPart]) -> [Moya.Task] {
            [.uploadMultipart(parts), .uploadCompositeMultipart(parts, urlParameters: ["q": 1])]
        }
    }

    @Test func `forms of parts are sent under their older names too`() async throws {
        let world = try PinnedServer { _ in .text("ok") }
        let provider = MoyaProvider<Form>(session: world.session(startRequestsImmediately: false))
        let older: any Older = Tasks()
        for task in older.tasks([MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: "a")]) {
            _ = try await provider.request(Form(baseURL: world.root, task: task))
        }
        #expect(world.server.log.requests.map(\.target) == ["/form", "/form?q=1"])
        #expect(world.lines.allSatisfy { $0.contains(#"name="a""#) })
    }

    private struct Form: TargetType {
        let baseURL: URL
        let path = "form"
        let method = Moya.Method.post
        let task: Moya.Task
        let headers: [String: String]? = nil
    }
}
