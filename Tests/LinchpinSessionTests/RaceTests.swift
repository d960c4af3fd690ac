import Dispatch
import Foundation
import Glibc
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// Promise 7 at random moments; in a process of its own, whose descriptors and memory are counted.
@Suite struct RaceTests {
    /// How often each request was completed.
    private final class Completions: Sendable {
        let counts: Mutex<[Int]>
        init(_ count: Int) { counts = Mutex(Array(repeating: 0, count: count)) }
        func add(_ number: Int) { counts.withLock { $0[number] += 1 } }
        var total: Int { counts.withLock { $0.reduce(0, +) } }
        var areAllOne: Bool { counts.withLock { $0.allSatisfy { $0 == 1 } } }
    }

    @Test func `10000 requests that are cancelled, timed out, reset and invalidated complete once each`() async {
        await #expect(processExitsWith: .success) {
            let world = try World()
            let configuration = LocalTLSServer.Configuration(recording: .counts)
            let server = try LocalTLSServer(identity: world.identity, configuration: configuration) { request in
                switch request.path {
                case "/reset": .fault(.reset)
                case "/hold": .fault(.hold)
                case "/part": .init(body: Data(repeating: 1, count: 10_000), fault: .closeAfter(bytes: 100))
                default: .text("hello")
                }
            }
            let manager = try world.manager()
            let base = "https://localhost:\(server.port)"
            func round(_ count: Int, seed: UInt64) async throws {
                var random = SeededGenerator(seed: seed)
                let completions = Completions(count)
                let session = Session(
                    configuration: .with { $0.maximumConnectionsPerHost = 16 },
                    serverTrustManager: manager
                )
                for number in 0..<count {
                    let path = ["/", "/reset", "/hold", "/part"].randomElement(using: &random) ?? "/"
                    let seconds = Double.random(in: 0.001...0.3, using: &random)
                    let request = session.request(base + path, timeouts: Timeouts(request: seconds))
                    request.response { _ in completions.add(number) }
                    guard number % 3 == 0 else { continue }
                    let delay = Double.random(in: 0...0.05, using: &random)
                    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { request.cancel() }
                }
                if seed % 2 == 0 { await session.invalidate() }
                let done = try await eventually(within: 30) { completions.total >= count }
                try #require(done, "\(completions.total) of \(count) completed")
                try #require(completions.areAllOne)
                await session.invalidate()
            }
            for seed in 0..<4 { try await round(500, seed: UInt64(seed)) }
            let (descriptors, memory) = (Descriptors.count, ProcessMemory.allocated)
            for seed in 4..<14 { try await round(1_000, seed: UInt64(seed)) }
            try #require(try await eventually { Threads.count(named: "linchpin-loop") == 0 }, "a thread is left")
            try #require(await server.waitUntil { $0.openConnections == 0 }, "a connection is left")
            try #require(try await eventually { Descriptors.count <= descriptors + 8 }, "\(Descriptors.targets)")
            let isFreed = try await eventually { ProcessMemory.allocated < memory + 1 << 20 }
            try #require(isFreed, "\(ProcessMemory.allocated - memory) bytes are left")
        }
    }
}

/// The same numbers each time (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
