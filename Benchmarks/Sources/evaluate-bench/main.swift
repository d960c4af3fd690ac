import CFloor
import Foundation
import LinchpinTesting
import LinchpinTrust

// What judging a chain of three certificates by two pins costs beside OpenSSL's own verification of it. Both in turns,
// since the machine's speed drifts; the median of the turns' ratios counts.

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 400
let turns = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 25

let root = try LocalCertificateAuthority()
let identity = try root.intermediate().issue([.dns("api.example.com")])
let chain = identity.chain
let evaluator = try PublicKeyPinsTrustEvaluator(
    pins: [identity.pin.description, "sha256/\(Data(count: 32).base64EncodedString())"],
    roots: .certificates([root.certificate])
)

func ours() throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<rounds {
        let trust = try ServerTrust(presentedChain: chain, host: "api.example.com", date: Date())
        try evaluator.evaluate(trust, forHost: trust.host)
    }
    return (clock.now - start) / .seconds(1)
}

var ratios: [Double] = []
var times: [(ours: Double, floor: Double)] = []
for turn in 0...turns {
    let floor = floor_verify(root.certificate.pem, chain.map(\.pem).joined(), Int32(rounds))
    let own = try ours()
    guard floor > 0 else { fatalError("OpenSSL did not accept the chain") }
    // The first turn warms up.
    guard turn > 0 else { continue }
    ratios.append(own / floor)
    times.append((own, floor))
}
func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
func microseconds(_ seconds: [Double]) -> String {
    String(format: "%7.1f µs", median(seconds) / Double(rounds) * 1e6)
}
print("OpenSSL alone       \(microseconds(times.map(\.floor)))")
print("Linchpin, two pins  \(microseconds(times.map(\.ours)))")
print(String(format: "ratio               %7.3f (%.3f to %.3f)", median(ratios), ratios.min() ?? 0, ratios.max() ?? 0))
