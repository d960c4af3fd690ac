// Linchpin for PromiseKit: copy this file into your target. Tried with PromiseKit 8.2.0, in Swift 5 and Swift 6 mode.
//
// PromiseKit runs handlers on the main queue unless told otherwise; in a program that does not drain it, set
// `PromiseKit.conf.Q` to other queues.

import Dispatch
import LinchpinProvider
import PromiseKit

extension EndpointProvider {
    /// The response of the target. A promise cannot be cancelled; see ``cancellablePromise(_:callbackQueue:)``.
    public func promise(_ target: Target, callbackQueue: DispatchQueue? = nil) -> Promise<Response> {
        pending(target, callbackQueue).promise
    }

    /// The response of the target, and what cancels its request; the promise is then rejected.
    public func cancellablePromise(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil
    ) -> (promise: Promise<Response>, cancel: () -> Void) {
        let (promise, token) = pending(target, callbackQueue)
        return (promise, { token.cancel() })
    }

    private func pending(
        _ target: Target,
        _ callbackQueue: DispatchQueue?
    ) -> (promise: Promise<Response>, token: any LinchpinProvider.Cancellable) {
        let (promise, resolver) = Promise<Response>.pending()
        // A resolver may be called from any thread.
        nonisolated(unsafe) let seal = resolver
        let token = request(target, callbackQueue: callbackQueue) { result in
            switch result {
            case .success(let response): seal.fulfill(response)
            case .failure(let error): seal.reject(error)
            }
        }
        return (promise, token)
    }
}
