internal import Foundation
internal import Synchronization

extension ServerTrust {
    /// Tells somebody of what was found, at once unless the server may have to be judged again.
    func tell(_ announcement: @escaping @Sendable () -> Void) {
        if evidence.staple == .pending { findings.record(announcement: announcement) } else { announcement() }
    }

    /// What evaluators found out, kept for errors, for decisions and for the life of the connection.
    final class Findings: Sendable {
        private let state = Mutex(State())

        struct State: Sendable {
            /// The last chain that was validated.
            var validatedChain: [Certificate] = []
            /// Where its anchor is from; the caller's where there is no chain, whose names are judged more strictly.
            var anchor = AnchorOrigin.caller
            /// The earliest end of everything that the judgement rests on.
            var validUntil = Date.distantFuture
            var pinMatches: [PinMatch] = []
            var notices: [TrustDecision.Notice] = []
            var pinExpiration: Date?
            /// What is to be told once the judgement is final.
            var announcements: [@Sendable () -> Void] = []
            /// Whether an evaluator has still to see the stapled response, and must be asked again.
            var awaitsStaple = false
        }

        /// Everything up to now.
        var current: State { state.withLock { $0 } }

        func record(validatedChain chain: [Certificate], anchor: AnchorOrigin) {
            let end = chain.map(\.notAfter).min() ?? .distantPast
            state.withLock { state in
                state.validatedChain = chain
                state.anchor = anchor
                state.validUntil = min(state.validUntil, end)
            }
        }

        /// Notes when the pins in use expire, with whatever was let in by them.
        func record(end: Date) {
            state.withLock { state in
                state.validUntil = min(state.validUntil, end)
                state.pinExpiration = min(state.pinExpiration ?? end, end)
            }
        }

        /// Notes until when something else counts that the judgement rests on.
        func record(validUntil end: Date) {
            state.withLock { $0.validUntil = min($0.validUntil, end) }
        }

        func record(announcement: @escaping @Sendable () -> Void) {
            state.withLock { $0.announcements.append(announcement) }
        }

        /// Tells what was kept back.
        func announce() {
            let announcements = state.withLock { state in
                defer { state.announcements = [] }
                return state.announcements
            }
            for announcement in announcements { announcement() }
        }

        func recordAwaitingStaple() {
            state.withLock { $0.awaitsStaple = true }
        }

        func record(matches: [PinMatch]) {
            state.withLock { $0.pinMatches += matches }
        }

        func record(notice: TrustDecision.Notice) {
            state.withLock { $0.notices.append(notice) }
        }
    }
}
