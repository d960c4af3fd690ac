public import Dispatch
public import Foundation
public import FoundationNetworking
internal import Synchronization

/// A request whose response goes to a file.
///
/// It is written to a temporary file, and moved to where the destination says once it is whole; an error response, a
/// 404 say, is moved as well, as the validators come later. Without a destination it stays in the temporary directory,
/// and is the caller's to remove.
public final class DownloadRequest: Request, @unchecked Sendable {
    /// Says where a download goes, given where it is and its response. Called off the loop, for each attempt.
    public typealias Destination = @Sendable (URL, HTTPURLResponse) -> (destinationURL: URL, options: Options)

    /// What is done for the destination.
    public struct Options: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int
        /// Makes options of their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Makes the directories above the destination.
        public static let createIntermediateDirectories = Options(rawValue: 1)
        /// Replaces a file that is there; without it that is an error.
        public static let removePreviousFile = Options(rawValue: 2)
    }

    private let destination: Destination?
    private let plan: Mutex<Plan>

    private struct Plan {
        /// What an earlier download left, of which the next attempt fetches the rest.
        var earlier: PartialDownload?
        /// The file that the caller's resume data names, who may want to use them again.
        let given: String?
        /// What this request has moved to its destination, and replaces on another attempt.
        var movedTo: URL?
        var keepsPartialOnCancel = false
        var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
    }

    init(
        _ convertible: any URLRequestConvertible,
        continuing earlier: PartialDownload?,
        destination: Destination?,
        options: RequestOptions,
        session: Session
    ) {
        self.destination = destination
        plan = Mutex(Plan(earlier: earlier, given: earlier?.path))
        super.init(convertible, options: options, session: session)
    }

    /// Where the download is, once the request has ended with one.
    public var fileURL: URL? { status.withLock { $0.outcome?.fileURL } }

    /// With what ``Session/download(resumingWith:interceptor:to:)`` fetches the rest, once the request has failed or
    /// was cancelled so; nil where the server gave nothing to tell a changed file by (RFC 9110 §13.1.5).
    public var resumeData: Data? { status.withLock { $0.outcome?.partialDownload?.resumeData } }

    /// Cancels the request and calls back with the resume data, if there can be any.
    ///
    /// - Parameters:
    ///   - queue: where the closure runs; the session's own serial queue by default.
    @discardableResult
    public func cancel(
        queue: DispatchQueue? = nil,
        byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void
    ) -> Self {
        let queue = queue ?? core.callbackQueue
        plan.withLock { $0.keepsPartialOnCancel = true }
        cancel()
        whenFinished(QueueHandler(on: queue, { $0.rawDownload() }, { completionHandler($0.resumeData) }))
        return self
    }

    override func makeSink() throws(SessionError) -> any BodySink {
        let earlier = plan.withLock { $0.earlier }
        return FileSink(continuing: earlier?.asked(by: request), onHead: headObserver)
    }

    override var completesOffLoop: Bool { true }

    override func complete(_ outcome: inout ExchangeOutcome) {
        if outcome.error != nil {
            // The next attempt of this very request goes on from here.
            plan.withLock { $0.earlier = outcome.partialDownload }
            return
        }
        forget(
            plan.withLock { plan in
                defer { plan.earlier = nil }
                return plan.earlier?.path == outcome.fileURL?.path ? nil : plan.earlier
            }
        )
        guard let source = outcome.fileURL, let response = outcome.response, let destination else { return }
        let (target, options) = destination(source, response)
        do {
            try move(source, to: target, options)
            plan.withLock { $0.movedTo = target }
            outcome.fileURL = target
        } catch {
            outcome.error = .downloadedFileMoveFailed(error: error, source: source, destination: target)
        }
    }

    override func discard(_ outcome: ExchangeOutcome) {
        if let file = outcome.fileURL, plan.withLock({ $0.movedTo != file }) {
            try? FileManager.default.removeItem(at: file)
        }
        let isKept = plan.withLock { plan in
            if plan.keepsPartialOnCancel, latestOutcome == nil, let partial = outcome.partialDownload {
                plan.earlier = partial
                return true
            }
            return false
        }
        if !isKept { forget(outcome.partialDownload) }
    }

    /// Removes a part that nobody can continue.
    private func forget(_ partial: PartialDownload?) {
        guard let partial, plan.withLock({ $0.given != partial.path }) else { return }
        partial.remove()
    }

    private func move(_ source: URL, to target: URL, _ options: Options) throws {
        let files = FileManager.default
        let isOwn = plan.withLock { $0.movedTo == target }
        if options.contains(.removePreviousFile) || isOwn, files.fileExists(atPath: target.path) {
            try files.removeItem(at: target)
        }
        if options.contains(.createIntermediateDirectories) {
            try files.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        try files.moveItem(at: source, to: target)
    }

    /// The file is closed on the loop, and the outcome says what it holds.
    override func cancelled() { core.cancel(self) }

    override func exchangeCancelled(_ outcome: ExchangeOutcome) {
        var outcome = outcome
        outcome.request = outcome.request ?? request
        let (keepsPartial, earlier) = plan.withLock { ($0.keepsPartialOnCancel, $0.earlier) }
        outcome.partialDownload = outcome.partialDownload ?? earlier
        if !keepsPartial {
            outcome.partialDownload?.remove()
            outcome.partialDownload = nil
        }
        finish(outcome)
    }
}
