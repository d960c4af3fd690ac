import Foundation
import Synchronization
import Testing

@Suite struct ThreadSanitizerTests {
    private final class Shared: Sendable {
        let numbers = Mutex<[Int]>([])
    }

    /// Says nothing without the sanitizer. Under it, a `Mutex` that threads wait for must not be taken for a race.
    @Test func `a mutex that is fought for is no race`() {
        let shared = Shared()
        let threads = DispatchGroup()
        for _ in 0..<8 {
            threads.enter()
            Thread {
                for number in 0..<3_000 {
                    shared.numbers.withLock { numbers in
                        numbers.append(number)
                        if numbers.count > 50 { numbers.removeAll() }
                    }
                }
                threads.leave()
            }.start()
        }
        threads.wait()
        #expect(shared.numbers.withLock { $0.count } <= 50)
    }
}
