import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import Testing

@Suite struct NetworkLoggerTests {
    private static let call = Call("http://user:s3cret1@h/p?key=s3cret2") {
        $0.method = .post
        $0.authorizationType = .bearer
        $0.headers = ["X-Kept": "it's", "Cookie": "id=s3cret3", "X-Own": "s3cret4"]
        $0.task = .requestParameters(
            parameters: ["user": ["password": "s3cret5"], "kept": 1],
            encoding: JSONEncoding.default
        )
    }

    /// The entries of one exchange, each with its identifier before it.
    private func entries(
        _ options: NetworkLoggerPlugin.LogOptions,
        secrets: SecretRules? = {
            var rules = SecretRules()
            rules.headers = ["x-own"]
            return rules
        }(),
        status: Int = 200,
        body: String = #"{"token":"s3cret6","kept":1}"#,
        _ change: @Sendable (inout Call) -> Void = { _ in }
    ) async -> [String] {
        let log = Recorder<String>()
        let configuration = NetworkLoggerPlugin.Configuration(
            formatter: .init(entry: { identifier, message, _ in "\(identifier): \(message)" }),
            output: { _, items in for item in items { log.record(item) } },
            logOptions: options,
            secrets: secrets
        )
        let provider = EndpointProvider<Call>(
            answeredBy: StubbedSession { _ in
                status == 0
                    ? .networkError(URLError(.timedOut) as NSError) : .networkResponse(status, Data(body.utf8))
            },
            plugins: [AccessTokenPlugin { _ in "s3cret7" }, NetworkLoggerPlugin(configuration: configuration)]
        )
        var call = Self.call
        call.validationType = .successCodes
        change(&call)
        _ = await provider.outcome(of: call)
        return log.events
    }

    private static let all: NetworkLoggerPlugin.LogOptions = [
        .requestMethod, .requestHeaders, .requestBody, .successResponseBody, .errorResponseBody,
    ]

    @Test func `by default method and fields are logged, and no body`() async {
        let entries = await entries(.default)
        #expect(entries.map { String($0.prefix { $0 != ":" }) } == ["Request", "Request Headers", "Response"])
        #expect(entries[0] == "Request: POST http://h/p?key=<redacted>")
        #expect(entries[1].contains("X-Kept: it's"))
        #expect(entries[2].hasPrefix("Response: 200 "))
    }

    @Test(arguments: [all, [.formatRequestAscURL, .errorResponseBody]], [200, 500, 0])
    func `no secret is logged`(_ options: NetworkLoggerPlugin.LogOptions, _ status: Int) async {
        let text = await entries(options, status: status).joined(separator: "\n")
        #expect(!text.contains("s3cret"))
        #expect(text.contains("it"))
        let form = await entries(options, status: status) {
            $0.task = .requestParameters(
                parameters: ["user": ["password": "s3cret5"], "kept": "1"],
                encoding: URLEncoding.httpBody
            )
        }
        #expect(!form.joined().contains("s3cret"))
        #expect(form.joined().contains("kept=1"))
        // The twin: it all is there for whoever asks for it.
        let open = await entries(options, secrets: nil, status: status).joined()
        for number in [2, 3, 4, 5, 7] { #expect(open.contains("s3cret\(number)")) }
    }

    @Test func `bodies of successes and of errors are asked for apart`() async {
        let success = await entries([.successResponseBody], body: "text")
        #expect(success.last == "Response Body: text")
        #expect(await entries([.successResponseBody], status: 500, body: "text").count == 1)
        #expect(await entries([.errorResponseBody], status: 500, body: "text").last == "Response Body: text")
        #expect(await entries([], status: 0).first?.hasPrefix("Error: ") == true)
    }

    @Test func `a command line is one that a shell takes`() async throws {
        let line = try #require(await entries([.formatRequestAscURL]).first)
        #expect(line.hasPrefix("Request: $ curl -v \\\n\t-X POST \\\n\t"))
        #expect(line.contains(#"-H 'X-Kept: it'\''s'"#))
        #expect(line.hasSuffix("'http://h/p?key=<redacted>'"))
    }

    @Test(arguments: [
        "user[password]=s3cret", "password[0]=s3cret", "credentials[user][name]=s3cret", "user.password=s3cret",
        "user%5BPassWord%5D%5B%5D=s3cret", "newPassword=s3cret", "access-token=s3cret", "session%54oken=s3cret",
    ])
    func `a form hides what is below a secret name too`(_ item: String) async {
        let text = await entries(Self.all) {
            $0.headers = ["Content-Type": "Application/x-www-form-urlencoded;charset=utf-8"]
            $0.task = .requestData(Data("\(item)&kept=1".utf8))
        }.joined()
        #expect(text.contains("kept=1") && !text.contains(item))
    }

    @Test func `fields that are URLs show no secret of theirs`() async {
        let text = await entries(Self.all) {
            $0.headers = ["Referer": "https://u:s3cret8@h/kept?token=s3cret8", "X-Access-Token": "s3cret9"]
        }.joined()
        #expect(text.contains("/kept?token=<redacted>"))
        #expect(!text.contains("s3cret8") && !text.contains("s3cret9"))
    }

    @Test(arguments: [
        ("POST", "-X POST "), ("A`id`", "-X 'A`id`' "), ("A|B&C$D", "-X 'A|B&C$D' "), ("A'B", #"-X 'A'\''B' "#),
    ])
    func `no method does anything in a shell`(_ method: String, _ word: String) async {
        let text = await entries([.formatRequestAscURL]) {
            $0.method = HTTPMethod(rawValue: method)
            $0.task = .requestPlain
        }.joined()
        #expect(text.contains(word))
    }
}
