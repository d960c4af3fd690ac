/// An Optional whose type is not known, as it is found among parameters.
protocol OptionalValue {
    /// What is in it.
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    var wrapped: Any? { self }
}
