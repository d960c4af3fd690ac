internal import Foundation
internal import Synchronization

/// What tells one call from others, however often it is sent. It is made when it is first asked for: making one opens a
/// device of the system's.
final class CallIdentity: Sendable {
    /// Whether the request does not hold the body that is sent.
    let hasBodyOutsideRequest: Bool
    private let made = Mutex<UUID?>(nil)
    /// What plugins remember of this call.
    private let marks = Mutex<[ObjectIdentifier: Int]>([:])

    init(hasBodyOutsideRequest: Bool = false) { self.hasBodyOutsideRequest = hasBodyOutsideRequest }

    var id: UUID {
        made.withLock { made in
            let id = made ?? UUID()
            made = id
            return id
        }
    }

    /// Remembers a number for a plugin.
    func mark(_ number: Int, for plugin: AnyObject) { marks.withLock { $0[ObjectIdentifier(plugin)] = number } }

    /// What the plugin had remembered last.
    func mark(for plugin: AnyObject) -> Int? { marks.withLock { $0[ObjectIdentifier(plugin)] } }
}
