extension TargetType {
    /// The type and the case, such as `Library.book`, for errors. What a case carries is left out: it may be a
    /// password.
    var nameInErrors: String {
        let target = unwrapped
        let type = "\(Swift.type(of: target))"
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return type }
        return "\(type).\(mirror.children.first?.label ?? "\(target)")"
    }
}
