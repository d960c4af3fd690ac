import Alamofire
import LinchpinTesting
import Testing

/// The third article's way: a router of URL requests, a session of one's own, typed responses.
private protocol Route: URLRequestConvertible {
    var method: HTTPMethod { get }
    var path: String { get }
    var parameters: Parameters? { get }
    var encoding: ParameterEncoding { get }
}

private enum PostsRoute {
    case posts(userId: Int)
    case add(title: String)
}

extension PostsRoute: Route {
    static var root = ""

    var method: HTTPMethod {
        switch self {
        case .posts: return .get
        case .add: return .post
        }
    }

    var path: String { "posts" }

    var parameters: Parameters? {
        switch self {
        case .posts(let id): return ["userId": id]
        case .add(let title): return ["title": title]
        }
    }

    var encoding: ParameterEncoding {
        switch method {
        case .get: return URLEncoding.default
        default: return JSONEncoding.default
        }
    }

    func asURLRequest() throws -> URLRequest {
        let url = try PostsRoute.root.asURL()
        var request = URLRequest(url: url.appendingPathComponent(path))
        request.httpMethod = method.rawValue
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        do {
            request = try encoding.encode(request, with: parameters)
        } catch {
            throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
        }
        return request
    }
}

private struct Envelope<Value: Codable & Sendable>: Codable, Sendable {
    let code: String
    let message: String
    let data: Value
}

private struct Post: Codable, Sendable {
    let id: Int
    let userID: Int

    enum CodingKeys: String, CodingKey {
        case id
        case userID = "userId"
    }
}

/// A manager of the app's own.
private final class AppTrustManager: ServerTrustManager, @unchecked Sendable {
    override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        try super.serverTrustEvaluator(forHost: host)
    }
}

@Suite(.serialized) struct RouterTests {
    private func session(_ evaluators: [String: ServerTrustEvaluating]) -> Session {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        let manager = AppTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators)
        return Session(configuration: configuration, serverTrustManager: manager)
    }

    private func post(_ session: Session, _ route: URLRequestConvertible) async -> AFResult<Envelope<Post>> {
        await withCheckedContinuation { continuation in
            session.request(route).validate().responseDecodable(of: Envelope<Post>.self) {
                continuation.resume(returning: $0.result)
            }
        }
    }

    @Test func `routes reach the pinned server and come back as values`() async throws {
        let world = try PinnedServer { _ in
            .json(#"{"code":"0","message":"ok","data":{"id":1,"userId":9}}"#)
        }
        PostsRoute.root = world.root.absoluteString + "/"
        let pinned = session(world.evaluators())
        #expect(pinned.serverTrustManager is AppTrustManager)
        #expect(try await post(pinned, PostsRoute.posts(userId: 1)).get().data.userID == 9)
        #expect(try await post(pinned, PostsRoute.add(title: "a/b")).get().code == "0")
        #expect(world.lines == ["GET /posts?userId=1 ", #"POST /posts {"title":"a\/b"}"#])
        for request in world.server.log.requests {
            #expect(request.header("Accept") == "application/json")
            #expect(request.headers("Content-Type") == ["application/json"])
            for name in HTTPHeaders.default.map(\.name) { #expect(request.headers(name).count == 1) }
        }
    }

    @Test func `a table without the host leaves it to the system's roots, which do not know it`() async throws {
        let world = try PinnedServer { _ in .json("{}") }
        PostsRoute.root = world.root.absoluteString + "/"
        guard case .failure(let error) = await post(session([:]), PostsRoute.posts(userId: 1)) else {
            Issue.record("a self-signed server was trusted")
            return
        }
        #expect(error.isServerTrustEvaluationError)
        #expect(world.server.log.requests.isEmpty)
    }

    @Test func `what is no URL is an error of the request`() async {
        PostsRoute.root = ""
        guard case .failure(let error) = await post(session([:]), PostsRoute.posts(userId: 1)) else {
            Issue.record("there is a response")
            return
        }
        #expect(error.isInvalidURLError || error.isCreateURLRequestError)
    }
}
