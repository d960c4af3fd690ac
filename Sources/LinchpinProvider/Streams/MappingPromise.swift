internal import FoundationNetworking
internal import Synchronization

/// A request closure's duty to answer somebody who waits. Only the first answer counts; when the closure lets go of its
/// callback without one, that is the answer.
final class MappingPromise: Sendable {
    typealias Answer = Result<URLRequest, ProviderError>

    private let waiter: Mutex<CheckedContinuation<Answer, Never>?>

    init(_ waiter: CheckedContinuation<Answer, Never>) { self.waiter = Mutex(waiter) }

    deinit { keep(.failure(.requestMapping("the request closure gave no request"))) }

    func keep(_ answer: Answer) {
        let waiter = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        waiter?.resume(returning: answer)
    }
}
