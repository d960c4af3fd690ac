import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Testing

@Suite struct RecordingTests {
    /// Every file of the directory, as text.
    private func texts(_ directory: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { try String(contentsOf: $0, encoding: .utf8) }
    }

    @Test func `what was recorded answers again without a network`() async throws {
        let world = try World { request in
            switch request.path {
            case "/old": .redirect(to: "/new?secret=in-location")
            case "/missing": .text("no", status: 404)
            default: .text("\(request.method) \(request.target)")
            }
        }
        let directory = try TemporaryDirectory()
        var secrets = SecretRules()
        secrets.visibleQueryNames = ["page"]
        let recorder = try ExchangeRecorder(directory: directory.url, secrets: secrets)
        let recording = world.provider(plugins: [recorder])
        let calls = [
            world.call("a") { $0.task = .requestParameters(parameters: ["page": 1], encoding: URLEncoding.default) },
            world.call("a") { $0.task = .requestParameters(parameters: ["page": 2], encoding: URLEncoding.default) },
            world.call("a") { $0.method = .post },
            world.call("old"),
            world.call("missing") { $0.validationType = .successCodes },
        ]
        var recorded: [String] = []
        for call in calls { recorded.append(await recording.outcome(of: call).summary) }
        #expect(recorder.failures.isEmpty)
        #expect(try texts(directory.url).count == calls.count)

        let count = world.server.log.connections
        let replaying = EndpointProvider<Call>(
            answeredBy: try ReplaySource(directory: directory.url, secrets: secrets)
        )
        for (call, expected) in zip(calls, recorded).reversed() {
            #expect(await replaying.outcome(of: call).summary == expected)
        }
        let error = await #expect(throws: ProviderError.self) { try await replaying.request(world.call("never")) }
        #expect(error?.underlyingError is ReplaySource.Unanswered)
        #expect(world.server.log.connections == count)
    }

    @Test func `several answers of one request come in their order, the last one for ever`() async throws {
        let count = Recorder<Int>()
        let world = try World { _ in
            count.record(1)
            return .text("\(count.events.count)")
        }
        let directory = try TemporaryDirectory()
        let recording = world.provider(plugins: [try ExchangeRecorder(directory: directory.url)])
        for _ in 0..<2 { _ = try await recording.request(world.call()) }
        // A later recorder adds to the recordings.
        let more = world.provider(plugins: [try ExchangeRecorder(directory: directory.url)])
        _ = try await more.request(world.call())
        let replaying = EndpointProvider<Call>(answeredBy: try ReplaySource(directory: directory.url))
        var texts: [String] = []
        for _ in 0..<4 { texts.append(try await replaying.request(world.call()).mapString()) }
        #expect(texts == ["1", "2", "3", "3"])
    }

    @Test func `no secret is written down`() async throws {
        let world = try World { _ in
            .json(
                #"{"user":{"access_token":"s3cret1","name":"kept"},"list":[{"Password":"s3cret2"}],"token":null}"#,
                headers: [
                    .init("Set-Cookie", "id=s3cret3"), .init("X-Own", "s3cret4"), .init("X-Kept", "kept"),
                    .init("Content-Location", "/x?t=s3cret5"),
                ]
            )
        }
        let directory = try TemporaryDirectory()
        var secrets = SecretRules()
        secrets.headers = ["x-own"]
        let provider = world.provider(plugins: [
            AccessTokenPlugin { _ in "s3cret6" },
            try ExchangeRecorder(directory: directory.url, secrets: secrets),
        ])
        let call = world.call("p") {
            $0.method = .post
            $0.authorizationType = .bearer
            $0.headers = ["Cookie": "id=s3cret7", "X-Own": "s3cret8"]
            $0.task = .requestCompositeParameters(
                bodyParameters: ["password": "s3cret9"],
                bodyEncoding: JSONEncoding.default,
                urlParameters: ["key": "s3cret10"]
            )
        }
        _ = try await provider.request(call)
        let text = try #require(try texts(directory.url).first)
        #expect(!text.contains("s3cret"))
        #expect(text.contains("kept"))
        let file = try #require(
            try FileManager.default.contentsOfDirectory(at: directory.url, includingPropertiesForKeys: nil).first
        )
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [
        ("Content-Type", "application/x-www-form-urlencoded; charset=utf-8", "access_token=s3cret&kept=1"),
        ("Content-Type", "application/json", #"{"accessToken":"s3cret","Refresh-Token":"s3cret","kept":1}"#),
        ("Content-Type", "application/json", #"{"a":[{"new_password":{"value":"s3cret"}}],"kept":1}"#),
        ("Content-Type", "application/json", #"{"sessionToken":"s3cret","apiSecret":"s3cret","kept":1}"#),
        ("Link", "<https://u:s3cret@h/?token=s3cret>; rel=kept, </x?token=s3cret#s3cret>; rel=prev", ""),
        ("Location", "/kept?token=s3cret", ""), ("Refresh", "0; url=https://h/kept?token=s3cret", ""),
        ("X-Access-Token", "s3cret", "kept"), ("X-CSRF-Token", "s3cret", "kept"), ("Set-Cookie2", "a=s3cret", "kept"),
        ("Authentication-Info", "nextnonce=s3cret", "kept"),
    ])
    func `no kind of answer leaves a secret behind`(_ name: String, _ value: String, _ body: String) async throws {
        let world = try World { _ in .init(status: 200, headers: [.init(name, value)], body: Data(body.utf8)) }
        let directory = try TemporaryDirectory()
        let recorder = try ExchangeRecorder(directory: directory.url)
        let call = world.call { $0.headers = ["Referer": "https://h/?token=s3cret", "Origin": "https://u:s3cret@h"] }
        _ = try await world.provider(plugins: [recorder]).request(call)
        let text = try #require(try texts(directory.url).first)
        #expect(!text.contains("s3cret"))
        #expect(text.contains("kept"))
    }

    @Test func `parameters that may be seen are kept in every field`() async throws {
        let world = try World { _ in
            .text("", headers: [.init("Link", "</a?page=2&token=s3cret>; rel=next"), .init("Location", "/b?page=3")])
        }
        let directory = try TemporaryDirectory()
        var secrets = SecretRules()
        secrets.visibleQueryNames = ["page"]
        let recorder = try ExchangeRecorder(directory: directory.url, secrets: secrets)
        _ = try await world.provider(plugins: [recorder]).request(world.call())
        let text = try #require(try texts(directory.url).first)
        #expect(text.contains("</a?page=2&token=<redacted>>; rel=next") && text.contains("/b?page=3"))
    }

    @Test func `recorders of one directory, and what others put there, stay out of each other's way`() async throws {
        let world = try World()
        let directory = try TemporaryDirectory()
        let victim = URL(fileURLWithPath: directory.path(of: "victim.txt"))
        try Data("whole".utf8).write(to: victim)
        let recorders = try (0..<3).map { _ in try ExchangeRecorder(directory: directory.url) }
        let link = directory.url.appendingPathComponent("000002.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
        for recorder in recorders { _ = try await world.provider(plugins: [recorder]).request(world.call()) }
        #expect(recorders.allSatisfy { $0.failures.isEmpty })
        try FileManager.default.removeItem(at: link)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(names == ["000001.json", "000003.json", "000004.json", "victim.txt"])
        #expect(try String(contentsOf: victim, encoding: .utf8) == "whole")
    }

    @Test(arguments: [true, false])
    func `a replay gives what the caller got, also where a token was refreshed`(_ succeeds: Bool) async throws {
        struct Refusal: Error {}
        let world = try World {
            $0.header("Authorization") == "Bearer new" ? .text("new") : .text("no", status: 401)
        }
        let directory = try TemporaryDirectory()
        let recorder = try ExchangeRecorder(directory: directory.url)
        let refresh = TokenRefreshPlugin(token: "old") { _ in
            guard succeeds else { throw Refusal() }
            return "new"
        }
        let call = world.call { $0.authorizationType = .bearer }
        _ = await world.provider(plugins: [refresh, recorder]).outcome(of: call)
        #expect(try texts(directory.url).count == 1)
        let replaying = EndpointProvider<Call>(answeredBy: try ReplaySource(directory: directory.url))
        #expect(await replaying.outcome(of: call).summary == (succeeds ? "200 new" : "401 no"))
    }

    @Test func `a directory that cannot be written to is told`() async throws {
        let world = try World()
        let directory = try TemporaryDirectory()
        let recorder = try ExchangeRecorder(directory: directory.url.appendingPathComponent("gone"))
        try FileManager.default.removeItem(at: recorder.directory)
        #expect(await world.provider(plugins: [recorder]).outcome(of: world.call()).summary == "200 hello")
        #expect(recorder.failures.count == 1)
    }

    @Test func `what is no UTF-8 is kept byte by byte`() async throws {
        let bytes = Data([0xFF, 0x00, 0x80])
        let world = try World { _ in .init(status: 200, body: bytes) }
        let directory = try TemporaryDirectory()
        _ = try await world.provider(plugins: [try ExchangeRecorder(directory: directory.url)]).request(world.call())
        let replaying = EndpointProvider<Call>(answeredBy: try ReplaySource(directory: directory.url))
        #expect(try await replaying.request(world.call()).data == bytes)
    }

    @Test func `a file that is no recording is an error`() throws {
        let directory = try TemporaryDirectory()
        try Data("{}".utf8).write(to: directory.url.appendingPathComponent("000001.json"))
        #expect(throws: DecodingError.self) { try ReplaySource(directory: directory.url) }
    }
}

extension TemporaryDirectory {
    fileprivate var url: URL { URL(fileURLWithPath: path, isDirectory: true) }
}
