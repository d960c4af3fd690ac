internal import Foundation
internal import Linchpin
internal import LinchpinTesting

/// One thing that the demo shows, with real servers and handshakes.
struct DemoScenario: Sendable {
    let name: String
    let expected: DemoRow.Expectation
    let attempt: @Sendable (DemoWorld) async throws -> DemoAttempt

    init(
        _ name: String,
        _ expected: DemoRow.Expectation,
        _ attempt: @escaping @Sendable (DemoWorld) async throws -> DemoAttempt
    ) {
        self.name = name
        self.expected = expected
        self.attempt = attempt
    }

    /// Runs every scenario, one after the other.
    static func run(in world: DemoWorld) async -> [DemoRow] {
        var rows: [DemoRow] = []
        for scenario in accepted + refused + tightened + redirected {
            do {
                let attempt = try await scenario.attempt(world)
                rows.append(DemoRow(name: scenario.name, expected: scenario.expected, attempt: attempt))
            } catch {
                rows.append(DemoRow(name: scenario.name, expected: scenario.expected, error: error))
            }
        }
        return rows
    }

    /// A server that greets, and a request to it.
    private static func single(
        _ name: String,
        _ expected: DemoRow.Expectation,
        server identity: @escaping @Sendable (DemoWorld) throws -> ServerIdentity,
        evaluators: @escaping @Sendable (DemoWorld, ServerIdentity) throws -> [String: any ServerTrustEvaluating]
    ) -> DemoScenario {
        DemoScenario(name, expected) { world in
            let identity = try identity(world)
            let server = try LocalTLSServer(identity: identity) { _ in .text("hello") }
            defer { server.stop() }
            let provider = try world.provider(evaluators(world, identity)).provider
            return await world.attempt(provider, server.url, watching: server)
        }
    }
}

extension DemoScenario {
    private static let accepted = [
        single("pinned key under the given root", .accepted, server: \.identity) { world, identity in
            ["localhost": try world.pinning(identity)]
        },
        single(
            "self-signed, accepted by its pin and host",
            .accepted,
            server: { _ in try LocalCertificateAuthority.selfSigned() },
            evaluators: { ["localhost": try $0.pinningAlone($1)] }
        ),
    ]

    private static let refused = [
        single("wrong pin", .refused(.pinMismatch), server: \.identity) { world, _ in
            ["localhost": try world.pinningNobody()]
        },
        single(
            "pinned certificate appended to a foreign chain",
            .refused(.pinMismatch),
            server: { world in
                let other = try world.authority.issue()
                return other.presenting(other.chain + world.identity.chain)
            },
            evaluators: { world, _ in ["localhost": try world.pinning(world.identity)] }
        ),
        single(
            "unknown root",
            .refused(.noAnchor),
            server: { _ in try LocalCertificateAuthority(name: "Stranger").issue() },
            evaluators: { ["localhost": try $0.pinning($1)] }
        ),
        single(
            "expired",
            .refused(.expired),
            server: { try $0.authority.issue(validity: .expired) },
            evaluators: { ["localhost": try $0.pinning($1)] }
        ),
        single(
            "wrong host",
            .refused(.hostMismatch),
            server: { try $0.authority.issue([.dns("other.test")]) },
            evaluators: { ["localhost": try $0.pinning($1)] }
        ),
        single(
            "self-signed without a pin",
            .refused(.noAnchor),
            server: { _ in try LocalCertificateAuthority.selfSigned() },
            evaluators: { world, _ in ["localhost": DefaultTrustEvaluator(roots: world.roots)] }
        ),
        single("no evaluator, and all hosts must have one", .refused(.noRequiredEvaluator), server: \.identity) {
            ["api.example.com": try $0.pinning($1)]
        },
        DemoScenario("plain http to a pinned host", .refused(.cleartextRefused)) { world in
            let server = try LocalTLSServer.plain { _ in .text("hello") }
            defer { server.stop() }
            let provider = try world.provider(["localhost": world.pinning(world.identity)]).provider
            return await world.attempt(provider, server.url, watching: server)
        },
    ]

    /// A request under a policy that accepts, and a second one after it was tightened; the second is shown.
    private static func tightening(
        _ name: String,
        _ configuration: LocalTLSServer.Configuration,
        closing: Bool
    ) -> DemoScenario {
        DemoScenario(name, .refused(.pinMismatch)) { world in
            let headers: [LocalTLSServer.Header] = closing ? [.init("Connection", "close")] : []
            let server = try LocalTLSServer(identity: world.identity, configuration: configuration) { _ in
                .text("hello", headers: headers)
            }
            defer { server.stop() }
            let (provider, manager) = try world.provider(["localhost": DefaultTrustEvaluator(roots: world.roots)])
            // Twice, so that what the tightened policy must not use has been used: the connection, or the session.
            for _ in 0..<2 { _ = try await provider.request(DemoTarget(baseURL: server.url)) }
            guard closing ? server.log.handshakes.last?.isResumed == true : server.log.connections == 1 else {
                throw Unproven(what: closing ? "no TLS session was resumed" : "no connection was kept")
            }
            try manager.replaceEvaluators(["localhost": world.pinningNobody()])
            return await world.attempt(provider, server.url, watching: server)
        }
    }

    /// The servers did not do what a row is about.
    private struct Unproven: Error, CustomStringConvertible {
        let what: String
        var description: String { what }
    }

    private static let tightened = [
        tightening("policy tightened: kept-alive connection", .init(), closing: false),
        tightening(
            "policy tightened: resumable TLS 1.2 session",
            .init(maximumTLSVersion: .v1_2, resumption: .sessionIDs),
            closing: true
        ),
        tightening(
            "policy tightened: resumable TLS 1.3 session",
            .init(minimumTLSVersion: .v1_3),
            closing: true
        ),
    ]

    /// A pinned server that redirects to another one at 127.0.0.1, which is the one that is watched.
    private static func redirect(
        _ name: String,
        _ expected: DemoRow.Expectation,
        evaluators: @escaping @Sendable (DemoWorld) throws -> [String: any ServerTrustEvaluating]
    ) -> DemoScenario {
        DemoScenario(name, expected) { world in
            let target = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
            defer { target.stop() }
            let location = target.url(host: "127.0.0.1").absoluteString
            let server = try LocalTLSServer(identity: world.identity) { _ in .redirect(to: location) }
            defer { server.stop() }
            let provider = try world.provider(evaluators(world)).provider
            return await world.attempt(provider, server.url, watching: target)
        }
    }

    private static let redirected = [
        redirect("redirect to a host without a policy", .refused(.noRequiredEvaluator)) { world in
            ["localhost": DefaultTrustEvaluator(roots: world.roots)]
        },
        redirect("redirect to another pinned origin", .acceptedWithoutToken) { world in
            let evaluator = try world.pinning(world.identity)
            return ["localhost": evaluator, "127.0.0.1": evaluator]
        },
        DemoScenario("server that never answers", .timedOut) { world in
            let server = try LocalTLSServer(identity: world.identity) { _ in .fault(.hold) }
            defer { server.stop() }
            let provider = try world.provider(
                ["localhost": DefaultTrustEvaluator(roots: world.roots)],
                timeouts: Timeouts(connect: 5, idle: 0.25, request: 5)
            ).provider
            return await world.attempt(provider, server.url, watching: server)
        },
    ]
}
