import Alamofire
import LinchpinTesting
import Moya
import Testing

/// The second article's way: a plain provider, parameters beside cases without any, three callbacks.
private enum Radio {
    case channels
    case playlist(String)
    case other
}

extension Radio: TargetType {
    static var root = URL(fileURLWithPath: "/")

    var baseURL: URL {
        switch self {
        case .other: return Radio.root.appendingPathComponent("default.html")
        default: return Radio.root
        }
    }

    var path: String {
        switch self {
        case .channels: return "/j/app/radio/channels"
        case .playlist: return "/j/mine/playlist"
        case .other: return "/default/otherRequest"
        }
    }

    var method: Moya.Method {
        switch self {
        case .channels, .playlist: return .get
        default: return .post
        }
    }

    var task: Task {
        var parameters: [String: Any] = [:]
        switch self {
        case .playlist(let channel):
            parameters["channel"] = channel
            parameters["type"] = "n"
            parameters["from"] = "mainsite"
        case .channels: break
        case .other: return .requestPlain
        }
        return .requestParameters(parameters: parameters, encoding: URLEncoding.default)
    }

    /// Of an older protocol; nobody asks for it.
    var validate: Bool { false }

    var headers: [String: String]? { nil }
}

private struct Network {
    let provider: MoyaProvider<Radio>

    func request(
        _ target: Radio,
        success: @escaping ([String: Any]) -> Void,
        error errorCallback: @escaping (Int) -> Void,
        failure: @escaping (MoyaError) -> Void
    ) {
        provider.request(target) { result in
            switch result {
            case let .success(response):
                do {
                    try response.filterSuccessfulStatusCodes()
                    success(try response.mapJSON() as? [String: Any] ?? [:])
                } catch let error {
                    errorCallback((error as? MoyaError)?.response?.statusCode ?? 0)
                }
            case let .failure(error): failure(error)
            }
        }
    }

    func outcome(of target: Radio) async -> String {
        await withCheckedContinuation { continuation in
            request(
                target,
                success: { continuation.resume(returning: "success \($0.keys.sorted())") },
                error: { continuation.resume(returning: "error \($0)") },
                failure: {
                    continuation.resume(returning: "failure \(($0.response?.statusCode).map(String.init) ?? "")")
                }
            )
        }
    }
}

@Suite(.serialized) struct RadioTests {
    @Test func `each of the three callbacks gets its kind of end`() async throws {
        let world = try PinnedServer { request in
            switch request.path {
            case "/j/app/radio/channels": return .json(#"{"channels":[{"name":"a"}]}"#)
            case "/j/mine/playlist": return .text("gone", status: 404)
            default: return .fault(.close)
            }
        }
        Radio.root = world.root
        let network = Network(provider: MoyaProvider(session: world.session(startRequestsImmediately: false)))
        #expect(await network.outcome(of: .channels) == #"success ["channels"]"#)
        #expect(await network.outcome(of: .playlist("4")) == "error 404")
        #expect(await network.outcome(of: .other) == "failure ")
        #expect(
            world.lines == [
                "GET /j/app/radio/channels ", "GET /j/mine/playlist?channel=4&from=mainsite&type=n ",
                "POST /default.html/default/otherRequest ",
            ]
        )
        #expect(world.server.log.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test func `an unpinned server is a failure of the transfer`() async throws {
        let world = try PinnedServer { _ in .json("{}") }
        Radio.root = world.root
        #expect(await Network(provider: MoyaProvider()).outcome(of: .channels) == "failure ")
        #expect(world.server.log.requests.isEmpty)
    }
}
