internal import Foundation
internal import Linchpin
// PolicyFile and what it says of its entries are shared within the package only.
internal import LinchpinTrust

/// Which hosts are asked, and by which policy.
struct AuditPlan {
    /// A host to ask, by the entry that judges it.
    struct Target: Sendable {
        let identity: ReferenceIdentity
        let port: Int
        let entry: PolicySummary?
    }

    private let path: String
    private let file: PolicyFile
    private let warnDays: Int
    private let targets: [Target]
    /// Wildcards that no host was named for.
    private let idle: [PolicySummary]
    private let resolution: NameResolution

    private static let port = 443
    /// How many hosts are asked at a time.
    private static let width = 8

    init(_ arguments: PolicyArguments) throws {
        guard !arguments.has("--json") || !arguments.has("--html") else {
            throw PolicyArguments.Malformed(reason: "--json and --html are two things; give one")
        }
        let days = arguments.value("--warn-days") ?? "30"
        guard let number = Int(days), (0...100_000).contains(number) else {
            throw PolicyArguments.Malformed(reason: "--warn-days \(days) is not a number of days")
        }
        path = try arguments.operand("FILE")
        warnDays = number
        resolution = NameResolution(overrides: try arguments.values("--resolve").map(Self.override))
        file = try PolicyTool.file(path, roots: arguments.value("--roots"))
        let manager = try ServerTrustManager(file)
        let entries = Dictionary(uniqueKeysWithValues: file.summaries.map { ($0.pattern, $0) })
        var targets: [Target] = []
        for entry in file.summaries {
            let pattern = try HostPattern(entry.pattern)
            guard case .exact(let identity) = pattern.hosts else { continue }
            targets.append(Target(identity: identity, port: pattern.port ?? Self.port, entry: entry))
        }
        for text in arguments.values("--host") {
            let host = try HostArgument(text)
            let port = host.port ?? Self.port
            let pattern = try manager.policy(for: host.identity.description, port: port).pattern
            targets.append(Target(identity: host.identity, port: port, entry: pattern.flatMap { entries[$0] }))
        }
        self.targets = targets
        let asked = Set(targets.compactMap(\.entry?.pattern))
        idle = file.summaries.filter { !asked.contains($0.pattern) }
    }

    /// Reads `HOST:PORT:ADDRESS`; an address may have colons.
    private static func override(_ text: String) throws(PolicyArguments.Malformed) -> NameResolution.Override {
        let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
        guard parts.count == 3, let port = Int(parts[1]) else {
            throw PolicyArguments.Malformed(reason: "--resolve \(text) is not HOST:PORT:ADDRESS")
        }
        return NameResolution.Override(host: parts[0], port: port, addresses: [parts[2]])
    }

    /// Asks all hosts, a few at a time.
    func report() async throws -> AuditReport {
        let now = Date()
        var hosts: [Int: AuditHost] = [:]
        try await withThrowingTaskGroup(of: (Int, AuditHost).self) { group in
            for (number, target) in targets.enumerated() {
                if number >= Self.width, let (index, host) = try await group.next() { hosts[index] = host }
                group.addTask { (number, try await ask(target, now)) }
            }
            for try await (index, host) in group { hosts[index] = host }
        }
        let asked = targets.indices.compactMap { hosts[$0] }
        return AuditReport(
            policy: path,
            date: now,
            warnDays: warnDays,
            hosts: asked + idle.map { AuditHost(unasked: $0, now: now) }
        )
    }

    private func ask(_ target: Target, _ now: Date) async throws -> AuditHost {
        // A manager and a session of its own: no connection and no TLS session is shared, and every host shakes hands.
        let visit = AuditVisit(manager: try ServerTrustManager(file), resolution: resolution)
        let outcome = await visit.outcome(of: target)
        return AuditHost(target, outcome, now: now, warnDays: warnDays)
    }
}
