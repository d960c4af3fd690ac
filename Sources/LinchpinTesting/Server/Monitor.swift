internal import Foundation

/// A value behind a lock, with a way to wait until it has become something.
final class Monitor<Value: Sendable> {
    private let condition = NSCondition()
    private var value: Value
    private var changes: UInt64 = 0

    init(_ value: Value) { self.value = value }

    /// The value now.
    var current: Value {
        condition.lock()
        defer { condition.unlock() }
        return value
    }

    /// Changes the value and wakes who waits for it.
    func update<Result>(_ change: (inout Value) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        changes += 1
        defer { condition.broadcast() }
        return change(&value)
    }

    /// Waits until the value is as wanted; false when the time is up. `isWanted` runs without the lock.
    func wait(seconds: Double, _ isWanted: (Value) -> Bool) -> Bool {
        // NSCondition traps on moments as far as Date.distantFuture.
        let deadline = Date().addingTimeInterval(seconds > 0 ? min(seconds, 1e9) : 0)
        while true {
            condition.lock()
            let (snapshot, seen) = (value, changes)
            condition.unlock()
            if isWanted(snapshot) { return true }
            condition.lock()
            var isInTime = true
            while changes == seen, isInTime { isInTime = condition.wait(until: deadline) }
            let isUnchanged = changes == seen
            condition.unlock()
            if isUnchanged { return false }
        }
    }
}

// Both variables are read and written only between lock() and unlock() of the condition, which is itself
// safe to share; what leaves is Sendable.
extension Monitor: @unchecked Sendable {}
