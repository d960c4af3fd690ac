internal import LinchpinSession

/// A plugin that says how long a request may take.
protocol TimeoutSupplying: PluginType {
    /// Nil where it says nothing of this target.
    func timeouts(for target: any TargetType) -> Timeouts?
}
