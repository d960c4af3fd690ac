internal import CLinchpin
internal import Glibc

/// The kernel's side of the loop: an epoll, a timer and a wake-up; owned by the loop's thread.
final class Poller {
    /// What epoll reported.
    enum Event {
        case wokenUp
        case timer
        case socket(descriptor: Int32, tag: UInt32, isReadable: Bool, isWritable: Bool, isBroken: Bool)
    }

    private let epoll: Int32
    private let timer: Int32
    private var armedFor = Int64.max
    /// By the descriptors' numbers.
    @exclusivity(unchecked) private var watches: [Watch] = []
    @exclusivity(unchecked) private var buffer = [epoll_event](repeating: epoll_event(), count: 256)

    /// What is known of a descriptor.
    private struct Watch {
        /// What epoll watches it for; 0 for nothing. No more than a guess for one that may be closed unseen.
        var events: UInt32 = 0
        /// Whether anybody wants to hear of it.
        var isWanted = false
        /// Whether its end will be told.
        var hasKnownEnd = false
    }

    private static let wakeUpTag = UInt32.max
    private static let timerTag = UInt32.max - 1

    /// - Throws: ``SessionError`` `.sessionInvalidated` with errno's words.
    init(wakeUp: WakeUp) throws(SessionError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        let failed = errno
        guard epoll >= 0, timer >= 0, watch(timer, tag: Self.timerTag, reads: true, writes: false),
            // Told of each write, and so never read.
            wakeUp.withDescriptor({
                $0 >= 0 && watch($0, tag: Self.wakeUpTag, events: EPOLLIN.rawValue | EPOLLET.rawValue)
            })
        else {
            throw .sessionInvalidated(
                error: UnusableLibraryError(
                    message: "the event loop cannot start: \(String(cString: strerror(failed)))"
                )
            )
        }
    }

    deinit {
        if epoll >= 0 { close(epoll) }
        if timer >= 0 { close(timer) }
    }

    /// Nanoseconds of the monotonic clock.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The end of a descriptor will be told by ``closes(_:)``.
    ///
    /// Until then it stays in epoll, which spares two calls of the system for each request on a connection that is kept.
    func keeps(_ descriptor: Int32) {
        let index = place(of: descriptor)
        watches[index].hasKnownEnd = true
    }

    /// A descriptor is about to be closed.
    func closes(_ descriptor: Int32) {
        let index = place(of: descriptor)
        if watches[index].events != 0 { remove(descriptor) }
        watches[index] = Watch()
    }

    private func place(of descriptor: Int32) -> Int {
        let index = Int(descriptor)
        if index >= watches.count {
            watches.append(contentsOf: repeatElement(Watch(), count: max(index + 1, 64) - watches.count))
        }
        return index
    }

    /// Watches a descriptor, or changes what it is watched for.
    func watch(_ descriptor: Int32, tag: UInt32, reads: Bool, writes: Bool) -> Bool {
        watch(descriptor, tag: tag, events: (reads ? EPOLLIN.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0))
    }

    private func watch(_ descriptor: Int32, tag: UInt32, events: UInt32) -> Bool {
        let index = place(of: descriptor)
        let known = watches[index]
        watches[index].isWanted = true
        if known.hasKnownEnd, known.events == events { return true }
        var event = epoll_event()
        event.events = events
        event.data.u64 = UInt64(tag) << 32 | UInt64(UInt32(bitPattern: descriptor))
        let guess = known.events != 0 ? (call: EPOLL_CTL_MOD, error: ENOENT) : (call: EPOLL_CTL_ADD, error: EEXIST)
        watches[index].events = events
        if epoll_ctl(epoll, guess.call, descriptor, &event) == 0 { return true }
        let other = guess.call == EPOLL_CTL_ADD ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
        return errno == guess.error && epoll_ctl(epoll, other, descriptor, &event) == 0
    }

    /// Watches a descriptor no longer; one that is closed already is none the worse.
    func forget(_ descriptor: Int32) {
        let index = place(of: descriptor)
        watches[index].isWanted = false
        if !watches[index].hasKnownEnd { remove(descriptor) }
    }

    private func remove(_ descriptor: Int32) {
        watches[Int(descriptor)].events = 0
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event)
    }

    /// Waits until something happens or `deadline` has come.
    func wait(until deadline: Int64) -> [Event] {
        let isDue = deadline <= Self.now()
        if !isDue { arm(deadline) }
        let count = epoll_wait(epoll, &buffer, Int32(buffer.count), isDue ? 0 : -1)
        guard count > 0 else { return [] }
        return buffer[..<Int(count)].compactMap(event)
    }

    /// - Returns: nil for what nobody wants to hear of.
    private func event(_ raw: epoll_event) -> Event? {
        let descriptor = Int32(truncatingIfNeeded: raw.data.u64)
        let tag = UInt32(truncatingIfNeeded: raw.data.u64 >> 32)
        var value: UInt64 = 0
        switch tag {
        case Self.wakeUpTag:
            return .wokenUp
        case Self.timerTag:
            _ = read(descriptor, &value, 8)
            armedFor = .max
            return .timer
        default:
            guard watches[Int(descriptor)].isWanted else {
                remove(descriptor)
                return nil
            }
            return .socket(
                descriptor: descriptor,
                tag: tag,
                isReadable: raw.events & EPOLLIN.rawValue != 0,
                isWritable: raw.events & EPOLLOUT.rawValue != 0,
                isBroken: raw.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
            )
        }
    }

    /// Sets the timer, unless it goes off by then. Deadlines move further away with every byte that comes: where it
    /// goes off for an old one, the next turn of the loop sets it anew.
    private func arm(_ deadline: Int64) {
        guard deadline < armedFor else { return }
        armedFor = deadline
        var setting = itimerspec()
        setting.it_value.tv_sec = Int(deadline / 1_000_000_000)
        setting.it_value.tv_nsec = Int(deadline % 1_000_000_000)
        timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
}
