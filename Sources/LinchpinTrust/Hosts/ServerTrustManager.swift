package import Foundation
internal import Synchronization

/// Decides which evaluator judges which host, as Alamofire's type of the same name does.
///
/// Patterns are hosts (`api.example.com`, `10.0.0.1`, `::1`) or `*.example.com`, which stands for exactly one label.
/// The exact host wins over the wildcard. Case, one trailing dot and the spelling of an address do not matter. A host
/// that has an entry is never spoken to over plain HTTP.
///
/// ```swift
/// let manager = try ServerTrustManager(evaluators: [
///     "api.example.com": PublicKeyPinsTrustEvaluator(pins: ["sha256/…", "sha256/…"])
/// ])
/// ```
///
/// Safe to use from any thread.
open class ServerTrustManager {
    private let state: Mutex<State>

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

    /// Whether a host without an entry is refused. When false, such a host is judged by ``DefaultTrustEvaluator``.
    public var allHostsMustBeEvaluated: Bool { state.withLock { $0.table.allHostsMustBeEvaluated } }

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
        let observers = state.withLock { state in
            state.table = table
            state.foreign = [:]
            return Array(state.observers.values)
        }
        for observer in observers { observer(runningExchanges) }
    }

    /// The evaluator for a host. Subclasses may choose another one; every lookup goes through here.
    ///
    /// - Returns: nil when the host has no entry and need not have one: it is then judged by
    ///   ``DefaultTrustEvaluator``.
    /// - Throws: ``TrustError`` with code `noRequiredEvaluator` or `malformedHost`.
    open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        let identity = try ReferenceIdentity(host: host)
        let table = state.withLock { $0.table }
        if let entry = table.entry(for: identity) { return entry.evaluator }
        guard !table.allHostsMustBeEvaluated else { throw Self.missingEvaluator(identity) }
        return nil
    }

    /// Tells `observer` of every replacement, on the thread that replaces, until the token is given back.
    package func observe(_ observer: @escaping @Sendable (RunningExchanges) -> Void) -> UUID {
        let token = UUID()
        state.withLock { $0.observers[token] = observer }
        return token
    }

    /// Ends an observation.
    package func stopObserving(_ token: UUID) {
        state.withLock { $0.observers[token] = nil }
    }

    /// The generation of the table in force.
    package var generation: Int { state.withLock { $0.table.generation } }

    /// The policy for a host: the evaluator, and the tag that keeps its connections apart from those of others.
    package func policy(for identity: ReferenceIdentity) throws(TrustError) -> TrustPolicy {
        let table = state.withLock { $0.table }
        let entry = table.entry(for: identity)
        guard type(of: self) == ServerTrustManager.self else { return try overriddenPolicy(identity, table, entry) }
        guard let entry else {
            guard !table.allHostsMustBeEvaluated else { throw Self.missingEvaluator(identity) }
            return TrustPolicy.system(generation: table.generation)
        }
        return TrustPolicy(
            evaluator: entry.evaluator,
            pattern: entry.pattern,
            isExplicit: true,
            generation: table.generation,
            tag: "\(table.generation)/entry-\(entry.number)"
        )
    }

    /// The policy where a subclass chooses the evaluator.
    private func overriddenPolicy(
        _ identity: ReferenceIdentity,
        _ table: HostTable,
        _ entry: HostTable.Entry?
    ) throws(TrustError) -> TrustPolicy {
        let chosen: (any ServerTrustEvaluating)?
        do {
            chosen = try serverTrustEvaluator(forHost: identity.description)
        } catch {
            throw TrustError.wrapping(error, "choosing an evaluator failed")
                .about(host: identity.description, pattern: entry?.pattern)
        }
        guard let chosen else { return TrustPolicy.system(generation: table.generation) }
        return TrustPolicy(
            evaluator: chosen,
            pattern: entry?.pattern,
            isExplicit: true,
            generation: table.generation,
            tag: "\(table.generation)/\(tag(forChosen: chosen))"
        )
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

    private static func missingEvaluator(_ identity: ReferenceIdentity) -> TrustError {
        TrustError(
            .noRequiredEvaluator,
            reason: "no entry matches \(identity) and all hosts must be evaluated; add one, or pass "
                + "allHostsMustBeEvaluated: false to judge other hosts by the system's roots"
        ).about(host: identity.description, pattern: nil)
    }
}

// All state is behind the mutex; subclasses add none that this class reads.
extension ServerTrustManager: @unchecked Sendable {}
