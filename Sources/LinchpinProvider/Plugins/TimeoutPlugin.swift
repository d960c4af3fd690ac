public import LinchpinSession

/// Says how long the requests of a target may take.
///
/// ```swift
/// TimeoutPlugin { $0.path == "report" ? Timeouts(request: 300) : Timeouts(request: 10) }
/// ```
///
/// Of several plugins the first that says something of a target has it. What it leaves open is the session's.
public struct TimeoutPlugin: PluginType {
    /// The time-outs for a target; nil for those of the session. A ``MultiTarget`` is unwrapped first.
    public typealias TimeoutsClosure = @Sendable (any TargetType) -> Timeouts?

    private let timeoutsClosure: TimeoutsClosure

    /// The same time-outs for every target.
    public init(_ timeouts: Timeouts) { self.init { _ in timeouts } }

    /// Time-outs by target.
    ///
    /// - Parameters:
    ///   - timeoutsClosure: asked for each request, on the thread where it is made.
    @preconcurrency
    public init(timeoutsClosure: @escaping TimeoutsClosure) { self.timeoutsClosure = timeoutsClosure }
}

extension TimeoutPlugin: TimeoutSupplying {
    func timeouts(for target: any TargetType) -> Timeouts? { timeoutsClosure(target.unwrapped) }
}
