internal import CLibcurl
internal import CLinchpin
internal import Glibc

/// What easy handles of any thread share: TLS sessions and, where a jar owns it, cookies (libcurl-share(3)).
///
/// An easy handle keeps the store that it uses, see ``EasyHandle/use(_:)``, so that the store goes last.
final class SharedStore {
    let pointer: UnsafeMutableRawPointer
    let holdsCookies: Bool
    /// Whether libcurl can share what this is for; where it was built without, every transfer is an error.
    let isUsable: Bool
    /// One for each kind of data that libcurl locks by itself.
    private let locks: UnsafeMutablePointer<pthread_mutex_t>

    private static let lockCount = Int(CURL_LOCK_DATA_LAST.rawValue)

    init(holdsCookies: Bool) {
        // It fails for want of a few hundred bytes only, which Swift itself would not survive.
        guard let pointer = curl_share_init() else { fatalError("no memory for what transfers share") }
        self.pointer = pointer
        self.holdsCookies = holdsCookies
        locks = .allocate(capacity: Self.lockCount)
        for index in 0..<Self.lockCount { pthread_mutex_init(locks + index, nil) }
        var results = [
            clinchpin_share_setopt_context(pointer, locks),
            clinchpin_share_setopt_lock_callback(pointer, Self.lock),
            clinchpin_share_setopt_unlock_callback(pointer, Self.unlock),
            clinchpin_share_setopt_share(pointer, CURL_LOCK_DATA_SSL_SESSION),
        ]
        if holdsCookies { results.append(clinchpin_share_setopt_share(pointer, CURL_LOCK_DATA_COOKIE)) }
        isUsable = results.allSatisfy { $0 == CURLSHE_OK }
    }

    deinit {
        let freed = curl_share_cleanup(pointer)
        assert(freed == CURLSHE_OK, "a handle still uses the shared data")
        for index in 0..<Self.lockCount { pthread_mutex_destroy(locks + index) }
        locks.deallocate()
    }

    // The context is the array of locks, which lives as long as the share.
    private static let lock: curl_lock_function = { _, data, _, context in
        guard let context else { return }
        pthread_mutex_lock(context.assumingMemoryBound(to: pthread_mutex_t.self) + Int(data.rawValue))
    }

    private static let unlock: curl_unlock_function = { _, data, context in
        guard let context else { return }
        pthread_mutex_unlock(context.assumingMemoryBound(to: pthread_mutex_t.self) + Int(data.rawValue))
    }
}

// Nothing of it changes after its initialiser but what libcurl keeps behind the locks above.
extension SharedStore: @unchecked Sendable {}
