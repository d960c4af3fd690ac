internal import Dispatch
internal import Foundation
internal import Linchpin
// ReferenceIdentity is shared within the package only.
internal import LinchpinTrust
internal import Synchronization

/// One request to one host, and what was decided about the server.
struct AuditVisit {
    let manager: ServerTrustManager
    let resolution: NameResolution

    /// What came of it.
    struct Outcome: Sendable {
        /// The last decision; nil where no server showed a chain.
        let decision: TrustDecision?
        /// Why there is no response.
        let failure: String?
        /// What was refused before a connection was made.
        let refusal: TrustError?
    }

    private final class Decisions: Sendable {
        let last = Mutex<TrustDecision?>(nil)
    }

    func outcome(of target: AuditPlan.Target) async -> Outcome {
        let decisions = Decisions()
        let queue = DispatchQueue(label: "linchpin.audit")
        manager.observeDecisions(on: queue) { decision in decisions.last.withLock { $0 = decision } }
        var configuration = SessionConfiguration()
        configuration.resolution = resolution
        configuration.maximumRedirects = 0
        let session = Session(configuration: configuration, serverTrustManager: manager)
        let timeouts = Timeouts(connect: 10, idle: 10, request: 20)
        let request = session.request(Self.url(target), method: .head, timeouts: timeouts)
        let response = await request.serializingData().response
        await session.invalidate()
        // Decisions are on this queue before the response is there.
        await withCheckedContinuation { done in queue.async { done.resume() } }
        return Outcome(
            decision: decisions.last.withLock { $0 },
            failure: response.error.map { $0.transportError?.message ?? "\($0)" },
            refusal: response.error?.trustError
        )
    }

    private static func url(_ target: AuditPlan.Target) -> String {
        let host = target.identity.description
        return "https://\(host.contains(":") ? "[\(host)]" : host):\(target.port)/"
    }
}
