import Dispatch
import LinchpinProvider

extension EndpointProvider {
    /// What the completion gets.
    func outcome(of target: Target, queue: DispatchQueue? = nil) async -> Result<Response, ProviderError> {
        await withCheckedContinuation { continuation in
            request(target, callbackQueue: queue) { continuation.resume(returning: $0) }
        }
    }
}
