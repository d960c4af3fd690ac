internal import Dispatch
internal import Foundation
internal import LinchpinSession

/// Whom the end of a request is told: one caller, or all that asked for the same.
protocol CallReceiver: Sendable {
    /// Tells the end, on the queue that the request was made with.
    ///
    /// - Parameters:
    ///   - wasSent: whether the network, and not a stub, was asked.
    func ended(_ outcome: CallWork.Outcome, wasSent: Bool)

    /// Tells how far the transfer is; called where the request ends.
    func progressed(_ progress: TransferProgress)

    /// Whether anybody wants to know how far the transfer is.
    var wantsProgress: Bool { get }
}

/// One caller of a request.
struct Caller: CallReceiver {
    let target: any TargetType
    let plugins: [any PluginType]
    /// Where the caller is called.
    let queue: DispatchQueue
    /// Whether that queue was asked for; without one an immediate stub calls back at once.
    let isQueueGiven: Bool
    let progress: (@Sendable (ProgressResponse) -> Void)?
    let completion: @Sendable (CallWork.Outcome) -> Void

    func ended(_ outcome: CallWork.Outcome, wasSent: Bool) {
        if wasSent, case .success(let response) = outcome { progress?(ProgressResponse(response: response)) }
        completion(plugins.reduce(outcome) { $1.process($0, target: target) })
    }

    var wantsProgress: Bool { progress != nil }

    func progressed(_ transfer: TransferProgress) {
        let foundation = Progress(totalUnitCount: transfer.totalUnitCount ?? -1)
        foundation.completedUnitCount = transfer.completedUnitCount
        progress?(ProgressResponse(progress: foundation))
    }
}
