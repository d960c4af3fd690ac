import Testing

@testable import LinchpinSession

@Suite struct RequestStatusTests {
    private func running() -> RequestStatus {
        var status = RequestStatus()
        _ = status.resume()
        _ = status.prepared(attempt: 0)
        return status
    }

    @Test func `a request begins once`() {
        var status = RequestStatus()
        let ways = [status.resume(), status.resume()]
        #expect(ways == [.begin, .nothing])
        #expect(status.state == .resumed)
    }

    @Test func `a request that was suspended before its start begins when it is resumed`() {
        var status = RequestStatus()
        let tellsLoop = status.suspend()
        let way = status.resume()
        #expect(!tellsLoop)
        #expect(way == .begin)
    }

    @Test func `a running request is suspended and goes on`() {
        var status = running()
        let tellsLoop = [status.suspend(), status.suspend()]
        #expect(tellsLoop == [true, false])
        #expect(status.state == .suspended)
        let way = status.resume()
        #expect(way == .goOn)
    }

    @Test func `what comes of an earlier attempt is too late`() {
        var status = running()
        let retries = [status.ended(attempt: 0), status.willRetry(attempt: 0)]
        #expect(retries == [true, true])
        let next = status.beginAttempt()
        #expect(next == 1)
        let late = [status.ended(attempt: 0), status.prepared(attempt: 0)]
        #expect(late == [false, false])
        let current = [status.prepared(attempt: 1), status.prepared(attempt: 1)]
        #expect(current == [true, false])
    }

    @Test func `a retrier is heard once`() {
        var status = running()
        let answers = [
            status.ended(attempt: 0), status.willRetry(attempt: 0), status.willRetry(attempt: 0),
            status.willNotRetry(attempt: 0),
        ]
        #expect(answers == [true, true, false, false])
    }

    @Test func `nothing moves a request that was cancelled but its end`() {
        var status = running()
        let cancels = [status.cancel(), status.cancel()]
        #expect(cancels == [true, false])
        let way = status.resume()
        #expect(way == .nothing)
        let moves = [status.suspend(), status.ended(attempt: 0), status.finish(), status.finish()]
        #expect(moves == [false, false, true, false])
        #expect(status.state == .cancelled)
    }

    @Test func `a request ends once`() {
        var status = running()
        let ends = [status.finish(), status.finish(), status.cancel()]
        #expect(ends == [true, false, false])
        #expect(status.state == .finished)
    }
}
