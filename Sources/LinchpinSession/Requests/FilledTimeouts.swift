/// The time-outs of an attempt, with nothing left open that has a default; one object for all that ask for no other.
final class FilledTimeouts: Sendable {
    let values: Timeouts

    /// - Throws: as ``Timeouts/validate()`` does.
    init(_ own: Timeouts, _ configuration: SessionConfiguration) throws(SessionError) {
        values = own.filled(from: configuration.timeouts).filled(from: .defaults)
        try values.validate()
    }
}
