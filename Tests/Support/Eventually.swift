/// Asks again and again until a condition holds or the time is up.
///
/// For states of other processes and of the kernel, which cannot be awaited; what can be awaited should be.
///
/// - Returns: whether the condition held in time.
@discardableResult
package func eventually(
    within seconds: Double = 5,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
        if try await condition() { return true }
        guard ContinuousClock.now < deadline else { return false }
        try await Task.sleep(for: .milliseconds(3))
    }
}
