/// The time of the loop's current turn, read once a turn; lives on the loop's thread.
final class LoopClock {
    /// Nanoseconds of the monotonic clock.
    private(set) var now = Poller.now()

    /// Reads the clock.
    func advance() { now = Poller.now() }
}
