import Testing

@testable import LinchpinProvider

@Suite struct CallStateTests {
    @Test func `a request goes its way once`() {
        var state = CallState()
        let notYet = (state.prepared(), state.answered())
        #expect(notYet == (false, false))
        let way = (state.mapped(), state.mapped(), state.prepared(), state.answered(), state.answered())
        #expect(way.0 && !way.1 && way.2 && way.3 && !way.4)
        #expect(state.cancel() == .nothing)
        #expect(state.isCancelled)
    }

    @Test func `a failed mapping ends it`() {
        var state = CallState()
        let ends = (state.mappingFailed(), state.mappingFailed(), state.mapped())
        #expect(ends == (true, false, false))
        #expect(state.cancel() == .nothing)
    }

    @Test func `plugins that cannot make the request end it`() {
        var state = CallState()
        _ = (state.mapped(), state.cancel())
        let ends = (state.preparingFailed(), state.preparingFailed(), state.prepared())
        #expect(ends == (true, false, false))
    }

    @Test func `cancelled before there is a request it ends without plugins`() {
        var state = CallState()
        #expect(state.cancel() == .end)
        #expect(state.cancel() == .nothing)
        let late = (state.mapped(), state.mappingFailed())
        #expect(late == (false, false))
    }

    @Test func `cancelled while plugins see it it ends when they have`() {
        var state = CallState()
        _ = state.mapped()
        #expect(state.cancel() == .nothing)
        let late = (state.prepared(), state.prepared(), state.answered())
        #expect(late == (false, false, false))
        #expect(state.cancel() == .nothing)
    }

    @Test func `cancelled under way it aborts, and the answer is late`() {
        var state = CallState()
        _ = (state.mapped(), state.prepared())
        #expect(state.cancel() == .abort)
        #expect(state.cancel() == .nothing)
        let isWanted = state.answered()
        #expect(!isWanted)
    }
}
