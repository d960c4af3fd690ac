import CLibcurl
import Glibc
import Testing

@testable import LinchpinSession

/// What epoll is told of descriptors, and what it then tells.
@Suite struct PollerTests {
    /// Two ends of a stream.
    private func pair() throws -> (own: Int32, other: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    /// The sockets that something happened on by now.
    private func readable(_ poller: Poller) -> [Int32] {
        poller.wait(until: 0).compactMap { event in
            if case .socket(let descriptor, _, true, _, _) = event { descriptor } else { nil }
        }
    }

    @Test func `a kept descriptor tells nothing while nobody wants it, and all again when somebody does`() throws {
        let poller = try Poller(wakeUp: WakeUp())
        let (own, other) = try pair()
        defer { close(other) }
        poller.keeps(own)
        #expect(poller.watch(own, tag: 1, reads: true, writes: false))
        #expect(readable(poller).isEmpty)
        poller.forget(own)
        #expect(write(other, "x", 1) == 1)
        #expect(readable(poller).isEmpty)
        #expect(readable(poller).isEmpty)
        #expect(poller.watch(own, tag: 1, reads: true, writes: false))
        #expect(readable(poller) == [own])
        poller.closes(own)
        close(own)
    }

    @Test(arguments: [false, true])
    func `a descriptor that takes the number of one that was closed is watched`(_ isKept: Bool) throws {
        let poller = try Poller(wakeUp: WakeUp())
        let (own, other) = try pair()
        if isKept { poller.keeps(own) }
        #expect(poller.watch(own, tag: 1, reads: true, writes: false))
        poller.forget(own)
        if isKept { poller.closes(own) }
        let (next, far) = try pair()
        defer { close(far) }
        // Closes the old one, as libcurl closes what it does not keep: unseen.
        try #require(dup2(next, own) == own)
        if next != own { close(next) }
        close(other)
        #expect(write(far, "x", 1) == 1)
        #expect(poller.watch(own, tag: 1, reads: true, writes: false))
        #expect(readable(poller) == [own])
        poller.closes(own)
        close(own)
    }

    /// A copy keeps what epoll watches, as a child process does that has inherited it.
    @Test func `a kept descriptor that is closed tells nothing by its copies`() throws {
        let poller = try Poller(wakeUp: WakeUp())
        let (own, other) = try pair()
        poller.keeps(own)
        #expect(poller.watch(own, tag: 1, reads: true, writes: false))
        let copy = dup(own)
        defer { close(copy) }
        poller.closes(own)
        close(own)
        let (next, far) = try pair()
        defer { close(far) }
        try #require(dup2(next, own) == own)
        if next != own { close(next) }
        #expect(poller.watch(own, tag: 1, reads: true, writes: false))
        // The end of the old stream, which the copy hears of, is not that of the one that has its number now.
        close(other)
        #expect(poller.wait(until: 0).isEmpty)
        poller.closes(own)
        close(own)
    }
}
