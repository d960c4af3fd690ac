internal import Synchronization

/// Waits for what `begin` hands over, once, on any thread.
///
/// The value goes through a lock beside the continuation: of one that is resumed before its task has suspended, the
/// thread sanitizer does not see that the task comes after.
func awaited<Value: Sendable>(_ begin: (_ deliver: @escaping @Sendable (Value) -> Void) -> Void) async -> Value {
    let handover = Handover<Value>()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        begin { value in
            handover.value.withLock { $0 = value }
            continuation.resume()
        }
    }
    // The only resumption, above, comes after the value.
    guard let value = handover.value.withLock({ $0 }) else { fatalError("a continuation was resumed with nothing") }
    return value
}

private final class Handover<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
