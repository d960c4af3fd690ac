internal import COpenSSL
package import Foundation
internal import Synchronization

/// An acceptance, kept with the connection that it let in.
package final class Verdict: Sendable {
    package let identity: ReferenceIdentity
    package let policyTag: String
    /// What the server sent, its own certificate first.
    package let presentedChain: [Certificate]
    /// The last second of the acceptance: the earliest notAfter of what was validated, or the end of the pins.
    package let validUntil: Date
    /// How the connection is protected, for the first who asks.
    private let words = Mutex<(version: String, cipher: String)?>(nil)

    init(identity: ReferenceIdentity, policyTag: String, presentedChain: [Certificate], validUntil: Date) {
        self.identity = identity
        self.policyTag = policyTag
        self.validUntil = validUntil
        self.presentedChain = presentedChain
    }

    /// OpenSSL's words for the version of TLS and the cipher of the `SSL *` that retains this verdict.
    func words(of connection: UnsafeMutableRawPointer) -> (version: String, cipher: String) {
        words.withLock { words in
            if let words { return words }
            let pointer = OpaquePointer(connection)
            let made = (
                version: SSL_get_version(pointer).map { String(cString: $0) } ?? "",
                cipher: SSL_CIPHER_get_name(SSL_get_current_cipher(pointer)).map { String(cString: $0) } ?? ""
            )
            words = made
            return made
        }
    }

    /// Lets an `SSL *` retain this verdict, in place of an earlier one.
    func attach(toConnection connection: UnsafeMutableRawPointer) -> Bool {
        let pointer = OpaquePointer(connection)
        let earlier = SSL_get_ex_data(pointer, ExDataIndexes.verdict)
        let retained = Unmanaged.passRetained(self)
        // Released by ExDataIndexes.releaseObject when OpenSSL frees the connection, or here when it is replaced.
        guard SSL_set_ex_data(pointer, ExDataIndexes.verdict, retained.toOpaque()) == 1 else {
            retained.release()
            return false
        }
        if let earlier { Unmanaged<Verdict>.fromOpaque(earlier).release() }
        return true
    }

    /// Lets go of the verdict that an `SSL *` retains, if it does: a new one is still to be made.
    static func detach(fromConnection connection: UnsafeMutableRawPointer) -> Bool {
        let pointer = OpaquePointer(connection)
        guard let earlier = SSL_get_ex_data(pointer, ExDataIndexes.verdict) else { return true }
        guard SSL_set_ex_data(pointer, ExDataIndexes.verdict, nil) == 1 else { return false }
        Unmanaged<Verdict>.fromOpaque(earlier).release()
        return true
    }

    /// The verdict that an `SSL *` retains.
    static func attached(toConnection connection: UnsafeMutableRawPointer) -> Verdict? {
        SSL_get_ex_data(OpaquePointer(connection), ExDataIndexes.verdict)
            .map { Unmanaged<Verdict>.fromOpaque($0).takeUnretainedValue() }
    }
}
