import Alamofire
import LinchpinTesting
import Moya
import Testing

/// The fourth article's way: parameters made by a helper, empty fields, text that is mapped by hand, tokens by plugin.
private enum Music {
    case ads(position: Int)
    case sheets(size: Int)
    case sheet(id: String)
    case register(name: String)
}

private enum ParameterTools {
    static func inQuery(_ data: [String: Any]) -> Moya.Task {
        .requestParameters(parameters: data, encoding: URLEncoding.default)
    }
}

extension Music: TargetType, AccessTokenAuthorizable {
    static var root = URL(fileURLWithPath: "/")

    var baseURL: URL { Music.root }

    var path: String {
        switch self {
        case .ads(_): return "v1/ads"
        case .sheets: return "v1/sheets"
        case .sheet(let id): return "v1/sheets/\(id)"
        case .register: return "v1/users"
        }
    }

    var method: Moya.Method {
        switch self {
        case .register: return .post
        default: return .get
        }
    }

    var task: Moya.Task {
        switch self {
        case .ads(let position): return ParameterTools.inQuery(["position": position])
        case .sheets(let size): return ParameterTools.inQuery(["size": size])
        default: return .requestPlain
        }
    }

    var headers: [String: String]? { [:] }

    var authorizationType: AuthorizationType? {
        switch self {
        case .register: return nil
        default: return .bearer
        }
    }
}

@Suite(.serialized) struct MusicTests {
    @Test func `every case sends what it says, with the token where it is wanted`() async throws {
        let world = try PinnedServer { _ in .json(#"{"status":0,"data":{"title":"广告"}}"#) }
        Music.root = world.root.appendingPathComponent("/")
        let provider = MoyaProvider<Music>(
            session: world.session(startRequestsImmediately: false),
            plugins: [AccessTokenPlugin { _ in "t0ken" }]
        )
        for target in [Music.ads(position: 0), .sheets(size: 10), .sheet(id: "1"), .register(name: "a")] {
            let text = try await provider.request(target).mapString(atKeyPath: "data.title")
            #expect(text == "广告")
        }
        #expect(
            world.lines == [
                "GET /v1/ads?position=0 ", "GET /v1/sheets?size=10 ", "GET /v1/sheets/1 ", "POST /v1/users ",
            ]
        )
        let tokens = world.server.log.requests.map { $0.header("Authorization") }
        #expect(tokens == ["Bearer t0ken", "Bearer t0ken", "Bearer t0ken", nil])
    }
}
