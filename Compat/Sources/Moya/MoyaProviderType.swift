/// What sends the requests of an API.
public protocol MoyaProviderType: AnyObject {
    /// The API.
    associatedtype Target: TargetType

    /// Makes the target's request and sends it.
    @preconcurrency
    func request(
        _ target: Target,
        callbackQueue: DispatchQueue?,
        progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> any Cancellable
}
