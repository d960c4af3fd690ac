import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// The suites that share one httpbin, which takes its time to start.
@Suite(.httpBin) enum HTTPBinTests {}

/// httpbin behind nginx, whose key is pinned.
struct HTTPBin: Sendable {
    let world: World
    let server: HTTPBinServer

    @TaskLocal static var current: HTTPBin?

    /// The one of the suite.
    static func shared() throws -> HTTPBin { try #require(current) }

    func session(
        _ version: NginxServer.HTTPVersion = .http2,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> Session {
        try world.session(version, change)
    }

    func url(_ target: String, host: String = "localhost") throws -> URL {
        try #require(URL(string: "https://\(host):\(server.port)\(target)"))
    }

    /// What nginx wrote of the requests with this word in their target, once there are `count`.
    func log(_ word: String, atLeast count: Int) async throws -> [NginxServer.LogEntry] {
        var entries: [NginxServer.LogEntry] = []
        try await eventually {
            entries = try server.nginx.accessLog().filter { $0.target.contains(word) }
            return entries.count >= count
        }
        return entries
    }
}

extension World {
    /// A session that accepts the leaf's key only, at `localhost`.
    func session(
        _ version: NginxServer.HTTPVersion,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> Session {
        let configuration = SessionConfiguration.with {
            $0.httpVersion = version == .http1 ? .http1 : .http2
            change(&$0)
        }
        return Session(configuration: configuration, serverTrustManager: try manager())
    }

    var nginxIdentity: NginxServer.Identity {
        .init(certificateChain: identity.chainPEM, privateKey: identity.privateKeyPEM)
    }
}

/// Starts httpbin before the tests of a suite and stops it after them.
struct HTTPBinTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let world = try World()
        let server = try await HTTPBinServer.start(identity: world.nginxIdentity)
        defer { server.stop() }
        try await HTTPBin.$current.withValue(HTTPBin(world: world, server: server)) { try await function() }
    }
}

extension Trait where Self == HTTPBinTrait {
    static var httpBin: Self { HTTPBinTrait() }
}
