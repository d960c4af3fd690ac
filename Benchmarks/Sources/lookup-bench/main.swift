import LinchpinTrust

/// What a lookup in the host table costs with few and with many entries.
///
/// Public API only: `serverTrustEvaluator(forHost:port:)`, which reads the host, walks the table and hands out the
/// evaluator. The same hosts are looked up in both tables; in the last row thousands of them, so that what the processor's
/// caches hold counts as well.
struct LookupBench {
    static let sizes = [10, 100_000]
    static let lookups = 500_000

    /// Of every ten entries four are hosts, two have ports, two are one-label wildcards and two are of any depth.
    static func pattern(_ number: Int) -> String {
        switch number % 10 {
        case 0...3: "host-\(number).example.com"
        case 4, 5: "host-\(number).example.com:8443"
        case 6, 7: "*.zone-\(number).example.com"
        default: "**.zone-\(number).example.com"
        }
    }

    /// A host that entry `number` is for, or, for every eleventh, one that no entry is for.
    static func host(_ number: Int, isMiss: Bool) -> String {
        switch number % 10 {
        case _ where isMiss: "a.b.c.nobody-\(number).example.org"
        case 0...5: "host-\(number).example.com"
        case 6, 7: "api.zone-\(number).example.com"
        default: "a.b.c.d.zone-\(number).example.com"
        }
    }

    static func hosts(_ numbers: some Sequence<Int>) -> [String] {
        numbers.map { host($0, isMiss: false) } + ["a.b.c.nobody.example.org"]
    }

    /// Nanoseconds per lookup, once.
    static func measure(_ manager: ServerTrustManager, _ hosts: [String]) throws -> Double {
        var (found, next) = (0, 0)
        let time = try ContinuousClock().measure {
            for _ in 0..<lookups {
                if try manager.serverTrustEvaluator(forHost: hosts[next], port: 8443) != nil { found += 1 }
                next = next + 1 == hosts.count ? 0 : next + 1
            }
        }
        precondition(found > lookups / 2, "the table has entries for nearly all of the hosts")
        return time / .nanoseconds(1) / Double(lookups)
    }

    static func manager(_ size: Int) throws -> ServerTrustManager {
        let evaluator = DefaultTrustEvaluator()
        let evaluators = Dictionary(uniqueKeysWithValues: (0..<size).map { (pattern($0), evaluator) })
        return try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators)
    }

    static func run() throws {
        let (small, large) = (try manager(sizes[0]), try manager(sizes[1]))
        let (few, all) = (hosts(0..<10), hosts(stride(from: 0, to: sizes[1], by: 7)))
        var best = [Double](repeating: .infinity, count: 3)
        // In turn, so that whatever else the machine does slows all of them.
        for _ in 0..<7 {
            best[0] = min(best[0], try measure(small, few))
            best[1] = min(best[1], try measure(large, few))
            best[2] = min(best[2], try measure(large, all))
        }
        print("\(sizes[0]) entries, the same \(few.count) hosts: \(Int(best[0].rounded())) ns per lookup")
        print("\(sizes[1]) entries, the same \(few.count) hosts: \(Int(best[1].rounded())) ns per lookup")
        print("\(sizes[1]) entries, \(all.count) hosts: \(Int(best[2].rounded())) ns per lookup")
        print(
            "ratio: \((best[1] / best[0] * 100).rounded() / 100), over all hosts \((best[2] / best[0] * 100).rounded() / 100)"
        )
    }
}

try LookupBench.run()
