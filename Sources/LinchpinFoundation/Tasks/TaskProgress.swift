internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// Counts the bytes of a task and tells its owner, since Foundation counts only those of its own transport; on the
/// task's work queue only.
struct TaskProgress {
    private let task: URLSessionTask
    private let parts: TaskParts
    private var sent: Int64 = 0
    private var toSend: Int64?
    private var received: Int64 = 0
    private var toReceive: Int64?

    init(_ task: URLSessionTask, _ parts: TaskParts) {
        self.task = task
        self.parts = parts
    }

    /// The response has begun.
    mutating func expect(_ length: Int64) {
        received = 0
        toReceive = length >= 0 ? length : nil
        show()
    }

    mutating func sent(_ upload: TransferProgress) {
        let step = upload.completedUnitCount - sent
        sent = upload.completedUnitCount
        toSend = upload.totalUnitCount
        show()
        // A body that is sent again begins anew.
        guard step > 0, let delegate = parts.delegate else { return }
        let (session, task, sent) = (parts.session, task, sent)
        let total = toSend ?? NSURLSessionTransferSizeUnknown
        session.delegateQueue.addOperation {
            delegate.urlSession(
                session,
                task: task,
                didSendBodyData: step,
                totalBytesSent: sent,
                totalBytesExpectedToSend: total
            )
        }
    }

    mutating func received(_ count: Int64) {
        received += count
        show()
        guard let delegate = parts.delegate as? any URLSessionDownloadDelegate,
            let task = task as? URLSessionDownloadTask
        else { return }
        let (session, received) = (parts.session, received)
        let total = toReceive ?? NSURLSessionTransferSizeUnknown
        session.delegateQueue.addOperation {
            delegate.urlSession(
                session,
                downloadTask: task,
                didWriteData: count,
                totalBytesWritten: received,
                totalBytesExpectedToWrite: total
            )
        }
    }

    /// The task has ended well.
    func end() {
        let done = max(sent + received, 1)
        task.progress.totalUnitCount = done
        task.progress.completedUnitCount = done
    }

    private func show() {
        task.progress.totalUnitCount = toReceive.map { $0 + (toSend ?? sent) } ?? -1
        task.progress.completedUnitCount = sent + received
    }
}
