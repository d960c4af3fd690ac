internal import Foundation
internal import Synchronization

/// The paths to one store's anchors that were validated last, by what the server sent for them.
///
/// A server sends the same certificates for each connection, and to verify their signatures again takes a fifth of a
/// handshake. What is kept is what never changes: which path they make by the rules of a profile. Its dates are judged
/// anew each time, and everything else that may be held against a server, its name, its pins, its revocation, is none
/// of this. A refusal is not kept.
final class KnownPaths: Sendable {
    private struct Entry {
        let profile: ValidationProfile
        let leaf: Certificate
        let pool: [Certificate]
        let path: [Certificate]
        let start: Date
        let end: Date
    }

    private struct Guarded {
        var entries: [Entry] = []
        /// Which entry makes room for the next.
        var oldest = 0
    }

    private let guarded = Mutex(Guarded())

    private static let mostEntries = 32
    /// Nobody is served by keeping what a server adds to a real chain.
    private static let mostPresentedBytes = 16_384

    /// The path that was validated by the profile's rules for exactly these certificates, if every one of it is valid
    /// at `date`.
    func path(
        from leaf: Certificate,
        through pool: [Certificate],
        profile: ValidationProfile,
        at date: Date
    )
        -> [Certificate]?
    {
        guarded.withLock { guarded in
            guarded.entries.first { entry in
                entry.profile == profile && entry.start <= date && !entry.end.isOver(at: date)
                    && entry.leaf == leaf && entry.pool == pool
            }?.path
        }
    }

    /// Notes a path that was validated.
    func keep(_ path: [Certificate], from leaf: Certificate, through pool: [Certificate], profile: ValidationProfile) {
        guard pool.reduce(leaf.der.count, { $0 + $1.der.count }) <= Self.mostPresentedBytes,
            let start = path.map(\.notBefore).max(), let end = path.map(\.notAfter).min()
        else { return }
        let entry = Entry(profile: profile, leaf: leaf, pool: pool, path: path, start: start, end: end)
        guarded.withLock { guarded in
            if guarded.entries.count < Self.mostEntries {
                guarded.entries.append(entry)
            } else {
                guarded.entries[guarded.oldest] = entry
                guarded.oldest = (guarded.oldest + 1) % Self.mostEntries
            }
        }
    }
}
