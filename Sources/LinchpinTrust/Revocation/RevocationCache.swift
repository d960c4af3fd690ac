internal import Foundation
internal import Synchronization

/// What is known about revocation, each piece verified and kept until its nextUpdate. Safe to use from any thread.
///
/// It is in memory only. Several evaluators may have one together: everything in it is the word of a certificate's own
/// issuer.
public final class RevocationCache: Sendable {
    private let state = Mutex(State())

    private struct Key: Hashable, Sendable {
        let subject: IssuedCertificate
        let origin: RevocationFact.Origin
    }

    private struct State: Sendable {
        var facts: [Key: RevocationFact] = [:]
        var lists: [Certificate: CertificateRevocationList] = [:]
        /// Until when it is not asked again about a certificate, by responders and by lists apart: an evaluator that
        /// wants one of them has not asked where another wants the other.
        var givenUp: [Key: Date] = [:]
    }

    /// How many facts are kept; the oldest go first.
    static let mostFacts = 2_000
    /// How many lists are kept: some have several megabytes.
    static let mostLists = 16
    /// How long nobody is asked again after nobody could answer, in seconds.
    static let patience: TimeInterval = 300

    /// Makes an empty one.
    public init() {}

    /// Forgets everything.
    public func removeAll() { state.withLock { $0 = State() } }

    /// What is known of a certificate at a time, from wherever.
    func facts(about subject: IssuedCertificate, at date: Date) -> [RevocationFact] {
        let found = state.withLock { state in
            [RevocationFact.Origin.staple, .responder, .list].compactMap {
                state.facts[Key(subject: subject, origin: $0)]
            }
        }
        return found.filter { $0.counts(at: date) }
    }

    /// Keeps a fact, unless a newer one is there.
    func keep(_ fact: RevocationFact, about subject: IssuedCertificate, at date: Date) {
        let key = Key(subject: subject, origin: fact.origin)
        state.withLock { state in
            if let known = state.facts[key], known.counts(at: date), known.thisUpdate > fact.thisUpdate { return }
            state.facts[key] = fact
            state.givenUp[key] = nil
            guard state.facts.count > Self.mostFacts else { return }
            state.facts = state.facts.filter { date <= $0.value.validUntil }
            if state.facts.count > Self.mostFacts,
                let first = state.facts.min(by: { $0.value.validUntil < $1.value.validUntil })
            {
                state.facts[first.key] = nil
            }
        }
    }

    /// The list of an issuer that was fetched last.
    func list(of issuer: Certificate) -> CertificateRevocationList? { state.withLock { $0.lists[issuer] } }

    /// Keeps a list that was used with success.
    func keep(_ list: CertificateRevocationList, of issuer: Certificate) {
        state.withLock { state in
            if state.lists[issuer] == nil, state.lists.count >= Self.mostLists,
                let first = state.lists.min(by: { $0.value.end < $1.value.end })
            {
                state.lists[first.key] = nil
            }
            state.lists[issuer] = list
        }
    }

    /// Notes that nobody of a kind could say anything about a certificate.
    func giveUp(_ origin: RevocationFact.Origin, about subject: IssuedCertificate, at date: Date) {
        state.withLock { state in
            if state.givenUp.count >= Self.mostFacts { state.givenUp = [:] }
            state.givenUp[Key(subject: subject, origin: origin)] = date.addingTimeInterval(Self.patience)
        }
    }

    func hasGivenUp(_ origin: RevocationFact.Origin, about subject: IssuedCertificate, at date: Date) -> Bool {
        guard let end = state.withLock({ $0.givenUp[Key(subject: subject, origin: origin)] }) else { return false }
        // One that is further away was noted by a clock that was set back since.
        return date <= end && end <= date.addingTimeInterval(Self.patience)
    }
}

extension CertificateRevocationList {
    fileprivate var end: Date { nextUpdate ?? .distantPast }
}
