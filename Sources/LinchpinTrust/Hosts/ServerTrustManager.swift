public import Dispatch
public import Foundation
internal import Synchronization

/// Decides which evaluator judges which host, as Alamofire's type of the same name does.
///
/// The most specific pattern wins, whatever the order:
///
/// 1. a host with a port: `api.example.com:8443`, `10.0.0.1:8443`, `[::1]:8443`;
/// 2. a host: `api.example.com`, `localhost`, `10.0.0.1`, `::1`;
/// 3. the wildcard with the longest name: `*.example.com` stands for exactly one label more, `**.example.com` for any
///    number of labels and for `example.com` itself. Of both with the same name the first wins.
///
/// Case, one trailing dot, the spelling of an address and that of an international name (`bücher.example` or
/// `xn--bcher-kva.example`) do not matter, and `10.0.0.1` and `::ffff:10.0.0.1` are one host; the certificate has to name
/// the one that was asked for. An entry with a port says nothing about other ports. A host that any entry
/// names, with whatever port, is never spoken to over plain HTTP. How long a lookup takes does not depend on the number
/// of entries.
///
/// ```swift
/// let manager = try ServerTrustManager(evaluators: [
///     "api.example.com": PublicKeyPinsTrustEvaluator(pins: ["sha256/…", "sha256/…"]),
///     "**.internal.example.com": DefaultTrustEvaluator(roots: .certificates(ourRoots)),
/// ])
/// ```
///
/// Safe to use from any thread.
open class ServerTrustManager {
    private let state: Mutex<State>
    /// What is asked for with every request, without the lock.
    private let generationInForce: Atomic<Int>
    private let decisionObservers = DecisionObservers()

    private struct State {
        var table: HostTable
        var observers: [UUID: @Sendable (RunningExchanges) -> Void] = [:]
        /// Evaluators that a subclass returned, kept so that one address never stands for two of them.
        var foreign: [ObjectIdentifier: any ServerTrustEvaluating] = [:]
    }

    /// What becomes of exchanges that run while the table is replaced.
    public enum RunningExchanges: Sendable {
        /// They end as they would have; their connections are then closed.
        case finish
        /// They end at once with an error whose code is `policyChanged`.
        case cancel
    }

    /// The table in force.
    var table: HostTable { state.withLock { $0.table } }

    /// Whether a host without an entry is refused. When false, such a host is judged by ``DefaultTrustEvaluator``.
    public var allHostsMustBeEvaluated: Bool { table.allHostsMustBeEvaluated }

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - allHostsMustBeEvaluated: whether a host without an entry is refused, true by default.
    ///   - evaluators: patterns and what judges the hosts that they match.
    /// - Throws: ``TrustError`` for a malformed pattern, for two spellings of one host, and for an evaluator with
    ///   nothing to check.
    public init(
        allHostsMustBeEvaluated: Bool = true,
        evaluators: [String: any ServerTrustEvaluating]
    ) throws(TrustError) {
        let table = try HostTable(allHostsMustBeEvaluated: allHostsMustBeEvaluated, evaluators: evaluators)
        state = Mutex(State(table: table))
        generationInForce = Atomic(table.generation)
    }

    /// Makes a table whose hosts are shown client identities.
    ///
    /// - Parameters:
    ///   - clientIdentities: by the same patterns as `evaluators`.
    package init(
        allHostsMustBeEvaluated: Bool,
        evaluators: [String: any ServerTrustEvaluating],
        clientIdentities: [String: ClientIdentity]
    ) throws(TrustError) {
        let table = try HostTable(
            allHostsMustBeEvaluated: allHostsMustBeEvaluated,
            evaluators: evaluators,
            clientIdentities: clientIdentities
        )
        state = Mutex(State(table: table))
        generationInForce = Atomic(table.generation)
    }

    /// Replaces the table. Idle connections of every session that uses it close, no TLS session made before is
    /// resumed, and requests from now on are judged by the new table.
    ///
    /// - Parameters:
    ///   - runningExchanges: whether exchanges that have begun may finish, which they may by default.
    /// - Throws: ``TrustError`` as the initialiser does; the table in force then stays.
    public func replaceEvaluators(
        allHostsMustBeEvaluated: Bool = true,
        _ evaluators: [String: any ServerTrustEvaluating],
        runningExchanges: RunningExchanges = .finish
    ) throws(TrustError) {
        let table = try HostTable(allHostsMustBeEvaluated: allHostsMustBeEvaluated, evaluators: evaluators)
        replace(with: table, runningExchanges)
    }

    /// Puts a table in force that was made before; this cannot fail.
    func replace(with table: HostTable, _ runningExchanges: RunningExchanges) {
        // What was in force goes after the lock: the end of an evaluator of the caller's may ask this manager.
        let before = state.withLock { state in
            defer {
                state.table = table
                generationInForce.store(table.generation, ordering: .releasing)
                state.foreign = [:]
            }
            return state
        }
        for observer in before.observers.values { observer(runningExchanges) }
    }

    /// The evaluator for a host on every port that has no entry of its own. Subclasses may choose another one.
    ///
    /// - Parameters:
    ///   - host: a DNS name or an address, without a port.
    /// - Returns: nil when the host has no entry and need not have one: it is then judged by
    ///   ``DefaultTrustEvaluator``.
    /// - Throws: ``TrustError`` with code `noRequiredEvaluator` or `malformedHost`.
    open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        let identity = try ReferenceIdentity(host: host)
        let table = table
        if let entry = table.entry(for: identity, port: nil) { return entry.policy.evaluator }
        guard !table.allHostsMustBeEvaluated else { throw Self.missingEvaluator(identity, nil, table) }
        return nil
    }

    /// The evaluator for a host and a port: that of an entry with this port, or else whatever
    /// ``serverTrustEvaluator(forHost:)`` chooses. Every lookup of a session goes through here; subclasses that choose
    /// by the port override this one.
    ///
    /// - Throws: ``TrustError`` as ``serverTrustEvaluator(forHost:)`` does.
    open func serverTrustEvaluator(forHost host: String, port: Int) throws -> (any ServerTrustEvaluating)? {
        let identity = try ReferenceIdentity(host: host)
        let table = table
        if let entry = table.entry(for: identity, port: port), entry.pattern.port != nil {
            return entry.policy.evaluator
        }
        return try serverTrustEvaluator(forHost: host)
    }

    /// Tells `observer` of every decision about a server, accepted or refused, by any session that uses this manager.
    ///
    /// There is one for each TLS handshake and for each TLS session that is resumed, none for a request on a connection
    /// that is kept. A request that is refused before a connection is made (`noRequiredEvaluator`, `cleartextRefused`)
    /// makes no decision.
    ///
    /// - Parameters:
    ///   - queue: where `observer` runs; handshakes do not wait for it.
    /// - Returns: what ``removeDecisionObserver(_:)`` takes.
    @discardableResult
    public func observeDecisions(
        on queue: DispatchQueue,
        _ observer: @escaping @Sendable (TrustDecision) -> Void
    ) -> UUID {
        decisionObservers.add(queue: queue, observer)
    }

    /// Ends what ``observeDecisions(on:_:)`` began. Decisions that are on their way still arrive.
    public func removeDecisionObserver(_ token: UUID) { decisionObservers.remove(token) }

    /// Tells `observer` of every replacement, on the thread that replaces, until the token is given back.
    package func observe(_ observer: @escaping @Sendable (RunningExchanges) -> Void) -> UUID {
        let token = UUID()
        state.withLock { $0.observers[token] = observer }
        return token
    }

    /// Ends an observation.
    package func stopObserving(_ token: UUID) {
        // It goes after the lock, with whatever it holds.
        let observer = state.withLock { $0.observers.removeValue(forKey: token) }
        withExtendedLifetime(observer) {}
    }

    /// The generation of the table in force.
    package var generation: Int { generationInForce.load(ordering: .acquiring) }

    /// Whether a host's policy stays the same until the table is replaced: no subclass has a say.
    package var hasFixedChoice: Bool { type(of: self) == ServerTrustManager.self }

    /// The policy for a host: the evaluator, and the tag that keeps its connections apart from those of others.
    package func policy(for identity: ReferenceIdentity, port: Int) throws(TrustError) -> TrustPolicy {
        let table = table
        let entry = table.entry(for: identity, port: port)
        var policy: TrustPolicy
        if type(of: self) != ServerTrustManager.self {
            policy = try overriddenPolicy(identity, port, table, entry)
        } else if let entry {
            policy = entry.policy
        } else if table.allHostsMustBeEvaluated {
            throw Self.missingEvaluator(identity, port, table)
        } else {
            policy = TrustPolicy.system(generation: table.generation)
        }
        policy.port = port
        policy.observers = decisionObservers
        if !policy.isExplicit { policy.patternNamingHost = table.patternNaming(identity) }
        return policy
    }

    /// The policy where a subclass chooses the evaluator.
    private func overriddenPolicy(
        _ identity: ReferenceIdentity,
        _ port: Int,
        _ table: HostTable,
        _ entry: HostTable.Entry?
    ) throws(TrustError) -> TrustPolicy {
        let chosen: (any ServerTrustEvaluating)?
        do {
            chosen = try serverTrustEvaluator(forHost: identity.description, port: port)
        } catch {
            throw TrustError.wrapping(error, "choosing an evaluator failed")
                .about(host: identity.description, pattern: entry?.policy.pattern)
        }
        guard let chosen else {
            // Nobody is a missing evaluator, whoever says so.
            guard !table.allHostsMustBeEvaluated else { throw Self.missingEvaluator(identity, port, table) }
            return TrustPolicy.system(generation: table.generation)
        }
        return TrustPolicy(
            evaluator: chosen,
            pattern: entry?.policy.pattern,
            isExplicit: true,
            generation: table.generation,
            tag: "\(table.generation)/\(tag(forChosen: chosen))"
        ).with(clientIdentity: entry?.policy.clientIdentity, tlsSettings: nil)
    }

    /// Tells chosen evaluators apart. A value cannot be recognised again and gets a word of its own each time, so
    /// that its connections are never shared.
    private func tag(forChosen evaluator: any ServerTrustEvaluating) -> String {
        guard type(of: evaluator) is AnyClass else { return UUID().uuidString }
        let identifier = ObjectIdentifier(evaluator as AnyObject)
        let isKept = state.withLock { state in
            guard state.foreign[identifier] != nil || state.foreign.count < Self.mostForeignEvaluators else {
                return false
            }
            state.foreign[identifier] = evaluator
            return true
        }
        return isKept ? "object-\(UInt(bitPattern: identifier))" : UUID().uuidString
    }

    /// How many evaluators of a subclass are recognised again; those beyond share no connections.
    private static let mostForeignEvaluators = 1_000

    static func missingEvaluator(
        _ identity: ReferenceIdentity,
        _ port: Int?,
        _ table: HostTable
    ) -> TrustError {
        let other = table.patternNaming(identity).map { " (\"\($0)\" is for that port only)" } ?? ""
        return TrustError(
            .noRequiredEvaluator,
            reason: "no entry matches \(identity)\(port.map { " on port \($0)" } ?? "")\(other), and all hosts must be "
                + "evaluated; add one, or pass allHostsMustBeEvaluated: false to judge other hosts by the system's roots"
        ).about(host: identity.description, pattern: nil)
    }
}

// All state is behind the mutex; subclasses add none that this class reads.
extension ServerTrustManager: @unchecked Sendable {}
