import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTesting
import Testing

/// The network and both kinds of stub, which plugins must not be able to tell apart.
enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case network
    case immediate
    case delayed

    var testDescription: String { rawValue }

    var behavior: StubBehavior {
        switch self {
        case .network: .never
        case .immediate: .immediate
        case .delayed: .delayed(seconds: 0.01)
        }
    }

    /// A provider whose server, or whose stub, answers the path `/<status>` with it, and `/fail` not at all.
    func provider(_ world: World, plugins: [any PluginType] = []) -> EndpointProvider<Call> {
        EndpointProvider(
            endpointClosure: { target in
                let endpoint = EndpointProvider<Call>.defaultEndpointMapping(for: target)
                return Endpoint(
                    url: endpoint.url,
                    sampleResponseClosure: {
                        Int(target.path).map { .networkResponse($0, Data("body".utf8)) }
                            ?? .networkError(URLError(.networkConnectionLost) as NSError)
                    },
                    method: endpoint.method,
                    task: endpoint.task,
                    httpHeaderFields: endpoint.httpHeaderFields
                )
            },
            stubClosure: { _ in behavior },
            session: world.session,
            plugins: plugins
        )
    }

    static func world() throws -> World {
        try World { request in
            Int(request.path.dropFirst()).map { .text("body", status: $0) } ?? .fault(.close)
        }
    }
}

@Suite struct PluginOrderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let path: String
        let received: String
        let completed: String
        var testDescription: String { path }
    }

    static let rows = [
        Row(path: "200", received: "200 body", completed: "200 body12"),
        Row(path: "500", received: "refused 500 500", completed: "refused 500 500"),
        Row(path: "fail", received: "failed", completed: "failed"),
    ]

    @Test(arguments: Way.allCases, rows)
    func `plugins see a request in one order on every way`(_ way: Way, _ row: Row) async throws {
        let world = try Way.world()
        let trace = Recorder<String>()
        let plugins = ["1", "2"].map { TraceablePlugin(name: $0, trace: trace) }
        let provider = way.provider(world, plugins: plugins)
        let call = world.call(row.path) { $0.validationType = .successCodes }
        trace.record("completion \(await provider.outcome(of: call).summary)")
        let processed = row.completed.hasSuffix("12") ? String(row.completed.dropLast()) : row.completed
        #expect(
            trace.events == [
                "prepare 1", "prepare 2", "willSend 1 12", "willSend 2 12",
                "didReceive 1 \(row.received)", "didReceive 2 \(row.received)",
                "process 1 \(row.received)", "process 2 \(processed)",
                "completion \(row.completed)",
            ]
        )
        let requests = world.server.log.requests
        #expect(requests.map { $0.header("X-Trail") } == (way == .network ? ["12"] : []))
        #expect(way == .network || world.server.log.connections == 0)
    }

    @Test(arguments: Way.allCases)
    func `what cannot be sent is only processed`(_ way: Way) async throws {
        let trace = Recorder<String>()
        let world = try Way.world()
        let provider = EndpointProvider<Call>(
            requestClosure: { _, done in done(.failure(.requestMapping("x"))) },
            stubClosure: { _ in way.behavior },
            session: world.session,
            plugins: [TraceablePlugin(name: "1", trace: trace)]
        )
        #expect(await provider.outcome(of: world.call()).summary == "requestMapping")
        #expect(trace.events == ["process 1 requestMapping"])
        #expect(world.server.log.connections == 0)
    }

    @Test func `a plugin may turn a failure into a success`() async throws {
        struct Rescue: PluginType {
            func process(
                _ result: Result<Response, ProviderError>,
                target: any TargetType
            ) -> Result<Response, ProviderError> {
                result.flatMapError { _ in .success(Response(statusCode: 299, data: Data())) }
            }
        }
        let world = try Way.world()
        let response = try await world.provider(plugins: [Rescue()]).request(world.call("fail"))
        #expect(response.statusCode == 299)
    }
}
