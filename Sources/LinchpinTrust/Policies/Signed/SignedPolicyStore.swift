package import Foundation
internal import Synchronization

/// Where a program keeps the last signed policy that it took on, and what it accepts as the next one.
///
/// The file is replaced as a whole: the next policy's bytes are written beside it and synced before they take its name, so
/// that a crash at any moment leaves the old policy or the new one. Beside it are `PATH.new`, while it is written, and
/// `PATH.lock`, which keeps processes that share a store from each other's steps.
///
/// A policy is taken on only if its version is higher than that of the one in the file, and of every one that this object
/// has seen. The one in the file again is no error and is not written again; another one with its version is refused. Who can
/// delete the file can bring an old policy back as far as `minimumVersion`: keep it where only the program writes.
///
/// Safe to use from any thread. Calls wait for the disk; do not make them where that matters.
public final class SignedPolicyStore: Sendable {
    private let file: DurableFile
    private let key: PublicKey
    private let minimumVersion: Int
    private let now: @Sendable () -> Date
    /// The newest policy that was taken on here, which counts even if the file is deleted.
    private let newest = Mutex<SignedPolicy?>(nil)

    /// Makes a store; nothing is read or written.
    ///
    /// - Parameters:
    ///   - path: the file, in a directory that exists and that only the program writes to.
    ///   - key: the Ed25519 key that policies are signed with, built into the program.
    ///   - minimumVersion: the lowest version that is taken on at all, 1 by default: give the version of the policy that
    ///     the program was built with, plus one.
    public convenience init(path: String, key: PublicKey, minimumVersion: Int = 1) {
        self.init(path: path, key: key, minimumVersion: minimumVersion) { Date() }
    }

    package init(path: String, key: PublicKey, minimumVersion: Int = 1, now: @escaping @Sendable () -> Date) {
        file = DurableFile(path: path)
        self.key = key
        self.minimumVersion = minimumVersion
        self.now = now
    }

    /// The policy in the file; nil where there is no file. Its date is not looked at.
    ///
    /// - Throws: ``TrustError`` as ``SignedPolicy/init(_:key:)`` does, or with code `unreadableFile`; the reason begins
    ///   with the path.
    public func stored() throws(TrustError) -> SignedPolicy? {
        guard let bytes = try file.read(atMost: SignedPolicy.mostBytes + 1) else { return nil }
        do {
            return try SignedPolicy(bytes, key: key)
        } catch {
            throw error.at("\(file.path), which was kept here")
        }
    }

    /// Takes on the policy in the file: what `enforce` makes of it is put in force.
    ///
    /// - Returns: the policy; nil where there is none.
    func restore(_ enforce: (SignedPolicy) throws(TrustError) -> Void) throws(TrustError) -> SignedPolicy? {
        try file.locked { () throws(TrustError) in
            guard let policy = try stored() else { return nil }
            try checkDate(policy)
            // Whoever can write the file may have put an older one there.
            try refuseRollback(policy, behind: [newest.withLock { $0 }])
            try enforce(policy)
            note(policy)
            return policy
        }
    }

    /// Takes on a document: checks it, lets `prepare` make something of it, keeps it, and puts in force what was made.
    ///
    /// - Parameters:
    ///   - prepare: everything that may fail. What it returns must not.
    /// - Returns: the policy, and whether it is another one than before.
    func take(
        _ document: Data,
        _ prepare: (SignedPolicy) throws(TrustError) -> () -> Void
    ) throws(TrustError) -> (policy: SignedPolicy, isNew: Bool) {
        let policy = try SignedPolicy(document, key: key)
        try checkDate(policy)
        return try file.locked { () throws(TrustError) in
            let isNew = try isNewer(policy)
            // Made again even if it is the same: the caller may have another manager.
            let enforce = try prepare(policy)
            if isNew { try file.replace(with: document) }
            note(policy)
            enforce()
            return (policy, isNew)
        }
    }

    /// - Returns: false for the very policy that was taken on last.
    private func isNewer(_ policy: SignedPolicy) throws(TrustError) -> Bool {
        let onDisk: SignedPolicy?
        do {
            onDisk = try stored()
        } catch {
            // What is there may be newer: nobody can say.
            throw TrustError(
                error.code,
                reason: "\(error.reason); no other policy is taken on until the file is repaired or deleted",
                cause: error.cause
            )
        }
        try refuseRollback(policy, behind: [onDisk, newest.withLock { $0 }])
        return onDisk?.version != policy.version
    }

    private func refuseRollback(_ policy: SignedPolicy, behind known: [SignedPolicy?]) throws(TrustError) {
        guard policy.version >= minimumVersion else { throw older(policy, than: minimumVersion) }
        for earlier in known.compactMap(\.self) {
            guard policy.version >= earlier.version else { throw older(policy, than: earlier.version) }
            guard policy.version > earlier.version || policy.payload == earlier.payload else {
                throw TrustError(
                    .policyRolledBack,
                    reason: "version \(policy.version) was taken on already, and said something else; publish a change "
                        + "with a higher version"
                )
            }
        }
    }

    private func note(_ policy: SignedPolicy) {
        newest.withLock { newest in
            if (newest?.version ?? 0) < policy.version { newest = policy }
        }
    }

    private func checkDate(_ policy: SignedPolicy) throws(TrustError) {
        guard policy.expires.isOver(at: now()) else { return }
        throw TrustError(
            .policyExpired,
            reason: "version \(policy.version) of the policy was to be taken on until \(policy.expires.rfc3339)"
        )
    }

    private func older(_ policy: SignedPolicy, than version: Int) -> TrustError {
        TrustError(
            .policyRolledBack,
            reason: "version \(policy.version) of the policy is older than version \(version), which is known already"
        )
    }
}
