public import Dispatch

/// What happens when a server's validated chain has none of the pinned keys.
///
/// Nothing else is ever let through by it: a chain that is not valid, another host's certificate and expired pins
/// refuse under each of these, and are not reported.
public enum PinMismatchAction: Sendable {
    /// The server is refused with code `pinMismatch`.
    case refuse
    /// The server is refused, and the handler is told.
    case refuseAndReport(PinFailureHandler)
    /// The server is let in, and the handler is told: for finding out what pins would break before they do.
    ///
    /// > Warning: Pins that only report protect nothing beyond the usual validation.
    case reportOnly(PinFailureHandler)

    var handler: PinFailureHandler? {
        switch self {
        case .refuse: nil
        case .refuseAndReport(let handler), .reportOnly(let handler): handler
        }
    }

    var isReportOnly: Bool {
        if case .reportOnly = self { true } else { false }
    }
}

/// Who is told of servers without a pinned key, and on which queue.
public struct PinFailureHandler: Sendable {
    private let queue: DispatchQueue
    private let body: @Sendable (PinFailureReport) -> Void

    /// Makes a handler.
    ///
    /// - Parameters:
    ///   - queue: where `body` runs; the handshake does not wait for it.
    ///   - body: what is done with a report, such as posting it. A connection for that to the very host that failed is
    ///     judged like any other.
    public init(queue: DispatchQueue, _ body: @escaping @Sendable (PinFailureReport) -> Void) {
        self.queue = queue
        self.body = body
    }

    func send(_ report: PinFailureReport) {
        queue.async { [body] in body(report) }
    }
}
