internal import CLinchpinTestSupport
internal import Foundation

/// Descriptors of the test process.
package enum Descriptors {
    /// How many are open.
    package static var count: Int { targets.count }

    /// What the open ones lead to, such as `socket:[1234]`, by number.
    package static var targets: [Int: String] {
        let folder = "/proc/self/fd"
        var targets: [Int: String] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            // The one that lists the folder is closed by now and has no target.
            guard let number = Int(name),
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            else { continue }
            targets[number] = target
        }
        return targets
    }

    /// How many of the open ones are sockets.
    package static var socketCount: Int { targets.values.count { $0.hasPrefix("socket:") } }
}

/// Threads of the test process.
package enum Threads {
    /// The names of all, as the kernel has them: at most 15 bytes each.
    package static var names: [String] {
        let folder = "/proc/self/task"
        var names: [String] = []
        // While threads end the kernel may leave others out of the list: it is read until it agrees with their number.
        for _ in 0..<100 {
            names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { thread in
                (try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8))?
                    .trimmingCharacters(in: .newlines)
            }
            if names.count == number { break }
        }
        return names
    }

    /// How many have exactly this name, of which the kernel keeps the first 15 bytes.
    package static func count(named name: String) -> Int {
        let kept = String(decoding: name.utf8.prefix(15), as: UTF8.self)
        return names.count { $0 == kept }
    }

    /// How many threads there are.
    private static var number: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let match = status.firstMatch(of: /(?m)^Threads:\s+(\d+)$/)
        else { return nil }
        return Int(match.1)
    }
}

/// Memory of the test process.
package enum ProcessMemory {
    /// The bytes that are allocated, whatever the allocator keeps for later; 0 under a sanitizer.
    package static var allocated: Int { clinchpin_test_allocated_bytes() }

    /// The most bytes that ever were.
    package static var peak: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
}
