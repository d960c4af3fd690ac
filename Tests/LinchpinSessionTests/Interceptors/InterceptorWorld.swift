import Foundation
import FoundationNetworking
import LinchpinTesting
import Synchronization

@testable import LinchpinSession

/// A status that a test does not accept.
struct UnwantedStatus: Error {
    let status: Int
}

extension Request {
    /// Makes an error of every status but 2xx.
    @discardableResult
    func wantingSuccess() -> Self {
        add { outcome in
            guard let code = outcome.response?.statusCode, !(200..<300).contains(code) else { return nil }
            return .sessionTaskFailed(error: UnwantedStatus(status: code))
        }
    }
}

/// Counts what happens on any thread.
final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }

    /// - Returns: the number after this one was counted.
    @discardableResult
    func add() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// What came, in its order.
final class Recorded<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    var all: [Element] { elements.withLock { $0 } }
    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
