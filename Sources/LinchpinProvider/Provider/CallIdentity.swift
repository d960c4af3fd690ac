internal import Foundation
internal import Synchronization

/// What tells one call from others, however often it is sent. It is made when it is first asked for: making one opens a
/// device of the system's.
final class CallIdentity: Sendable {
    /// Whether the request does not hold the body that is sent.
    let hasBodyOutsideRequest: Bool
    private let made = Mutex<UUID?>(nil)

    init(hasBodyOutsideRequest: Bool = false) { self.hasBodyOutsideRequest = hasBodyOutsideRequest }

    var id: UUID {
        made.withLock { made in
            let id = made ?? UUID()
            made = id
            return id
        }
    }
}
