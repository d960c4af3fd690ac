import Alamofire
import LinchpinTesting
import Moya
import Testing

/// The first article's way: a provider made by a static function, a child API inside the API, a token in a field.
private enum LoginLog {
    case add(type: Int)
    case child(LogChild)
}

private enum LogChild {
    case refresh(name: String)
}

private enum Fields {
    static func all(token: Bool, other: Bool = false) -> [String: String] {
        var fields = ["Content-type": "application/json"]
        if token { fields["Token"] = "用户的token" }
        if other { fields["其他key"] = "value" }
        return fields
    }
}

extension LoginLog: TargetType {
    static var root = URL(fileURLWithPath: "/")
    static var hasOtherField = false

    var baseURL: URL {
        switch self {
        case .child(let child): return child.baseURL
        default: return LoginLog.root.appendingPathComponent("/api/appHtLoginLog/")
        }
    }

    var path: String {
        switch self {
        case .child(let child): return child.path
        case .add: return "addLoginLog"
        }
    }

    var method: Moya.Method { .post }

    var task: Task {
        var parameters: [String: Any] = [:]
        switch self {
        case .child(let child): return child.task
        case .add(let type):
            parameters["type"] = type
            return .requestCompositeParameters(
                bodyParameters: [:],
                bodyEncoding: URLEncoding.httpBody,
                urlParameters: parameters
            )
        }
    }

    var headers: [String: String]? {
        switch self {
        case .child(let child): return child.headers
        case .add: return Fields.all(token: true, other: LoginLog.hasOtherField)
        }
    }
}

extension LogChild: TargetType {
    var baseURL: URL { LoginLog.root.appendingPathComponent("/api/appHtLoginLog/") }
    var path: String { "refreshInfo" }
    var method: Moya.Method { .post }
    var task: Task {
        switch self {
        case .refresh(let name): return .requestParameters(parameters: ["name": name], encoding: JSONEncoding.default)
        }
    }
    var headers: [String: String]? { Fields.all(token: false) }
}

private struct Answer: Decodable {
    var code: Int
    var message: String
}

extension MoyaProvider {
    fileprivate func send(_ target: Target, finish: @escaping (Int, String) -> Void) {
        request(target) { result in
            switch result {
            case .success(let response):
                let answer = try? response.map(Answer.self)
                finish(answer?.code ?? 400, answer?.message ?? "no answer")
            case .failure(let error): finish(500, error.errorDescription ?? "")
            }
        }
    }
}

@Suite(.serialized) struct ModularLogTests {
    private let world: PinnedServer
    private let provider: MoyaProvider<LoginLog>

    init() throws {
        world = try PinnedServer { _ in .json(#"{"code":200,"message":"SUCCESS"}"#) }
        LoginLog.root = world.root
        LoginLog.hasOtherField = false
        provider = MoyaProvider(session: world.session(startRequestsImmediately: false))
    }

    private func answer(_ target: LoginLog) async -> (Int, String) {
        await withCheckedContinuation { continuation in
            provider.send(target) { continuation.resume(returning: ($0, $1)) }
        }
    }

    @Test func `both kinds of case reach the server with their fields`() async {
        #expect(await answer(.add(type: 1)) == (200, "SUCCESS"))
        #expect(await answer(.child(.refresh(name: "test"))) == (200, "SUCCESS"))
        #expect(
            world.lines == [
                "POST /api/appHtLoginLog/addLoginLog?type=1 ",
                #"POST /api/appHtLoginLog/refreshInfo {"name":"test"}"#,
            ]
        )
        let requests = world.server.log.requests
        #expect(requests.map { $0.header("Token") } == ["用户的token", nil])
        #expect(requests.map { $0.headers("Content-Type") } == [["application/json"], ["application/json"]])
    }

    @Test func `a field whose name is no token is refused, and the server hears nothing`() async {
        LoginLog.hasOtherField = true
        let (code, message) = await answer(.add(type: 1))
        #expect(code == 500)
        #expect(message.contains("其他key"))
        #expect(world.server.log.connections == 0)
        // The twin: a stub takes it.
        let stub = MoyaProvider<LoginLog>(stubClosure: MoyaProvider.immediatelyStub)
        var answers: [Int] = []
        stub.send(.add(type: 1)) { code, _ in answers.append(code) }
        #expect(answers == [400])
    }
}
