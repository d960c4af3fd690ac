import Foundation
import LinchpinTesting
import Moya
import Testing

/// A plugin as it is written for Moya.
private final class Reporter: PluginType, @unchecked Sendable {
    private let report: (String) -> Void

    init(report: @escaping (String) -> Void) { self.report = report }

    func prepare(_ request: URLRequest, target: TargetType) -> URLRequest {
        var request = request
        request.setValue("s3cret", forHTTPHeaderField: "Authorization")
        return request
    }

    func willSend(_ request: RequestType, target: TargetType) {
        request.authenticate(username: "ada", password: "p", persistence: .forSession)
            .cURLDescription { [report] in report($0) }
    }
}

/// Stands in for a provider, as tests of apps do.
private final class StandIn: MoyaProviderType {
    var isStopped = false

    func request(
        _ target: MultiTarget,
        callbackQueue: DispatchQueue?,
        progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> Cancellable {
        completion(.success(Response(statusCode: 200, data: Data())))
        return CancellableToken { [unowned self] in isStopped = true }
    }
}

private enum Zen: TargetType {
    case quote
    case upload(Data)

    var baseURL: URL { URL(string: "http://h") ?? URL(fileURLWithPath: "/") }
    var path: String { "zen" }
    var method: Moya.Method { .post }
    var task: Task {
        switch self {
        case .quote: return .requestPlain
        case .upload(let data):
            let provider: MultipartFormData.FormDataProvider = .data(data)
            let form: RequestMultipartFormData = [MultipartFormBodyPart(provider: provider, name: "file")]
            return .uploadMultipartFormData(form)
        }
    }
    var headers: [String: String]? { nil }
}

@Suite struct PluginTests {
    @Test func `a plugin written for Moya sees and changes requests, and its command line has no secret`() {
        var lines: [String] = []
        let provider = MoyaProvider<Zen>(
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [Reporter { lines.append($0) }, NetworkLoggerPlugin.default]
        )
        for target in [Zen.quote, .upload(Data("1".utf8))] {
            nonisolated(unsafe) var code = 0
            provider.request(target) { code = (try? $0.get().statusCode) ?? 0 }
            #expect(code == 200)
        }
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("'http://h/zen'") && !$0.contains("s3cret") })
        #expect(provider.endpoint(.quote).url == "http://h/zen")
    }

    @Test func `a logger's names are those under its configuration`() {
        var items: [String] = []
        let formatter = NetworkLoggerPlugin.Configuration.Formatter(
            entry: { identifier, message, _ in "\(identifier)=\(message)" },
            responseData: NetworkLoggerPlugin.Configuration.Formatter.defaultDataFormatter
        )
        let options: NetworkLoggerPlugin.Configuration.LogOptions = [.requestMethod, .successResponseBody]
        let logger = NetworkLoggerPlugin(
            configuration: .init(formatter: formatter, output: { items += $1 }, logOptions: options)
        )
        MoyaProvider<Zen>(stubClosure: MoyaProvider.immediatelyStub, plugins: [logger]).request(.quote) { _ in }
        #expect(items == ["Request=POST http://h/zen", "Response=200 http://h/zen", "Response Body="])
        #expect(NetworkLoggerPlugin.verbose.configuration.logOptions == .verbose)
    }

    @Test func `a stand-in's token does what it is for, once`() {
        let standIn = StandIn()
        nonisolated(unsafe) var code = 0
        let token = standIn.request(MultiTarget(Zen.quote), callbackQueue: nil, progress: nil) {
            code = (try? $0.get().statusCode) ?? 0
        }
        #expect(code == 200 && !token.isCancelled && !standIn.isStopped)
        token.cancel()
        #expect(token.isCancelled && standIn.isStopped)
        standIn.isStopped = false
        token.cancel()
        #expect(!standIn.isStopped)
    }
}
