import CBaseline
import Foundation
import LinchpinTesting
import LinchpinTrust

// What the judgement of a chain of three with 2 pins costs on top of OpenSSL's own verification. Both parse the chain
// anew each time, as a handshake does. Usage: path-bench [ROUNDS], 15 times as many evaluations of each kind.

let host = "api.example.com"
let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 400

func lend<Result>(_ certificate: Certificate, _ body: (baseline_der) throws -> Result) rethrows -> Result {
    try certificate.der.withUnsafeBytes { bytes in
        try body(
            baseline_der(bytes: bytes.bindMemory(to: UInt8.self).baseAddress, length: bytes.count)
        )
    }
}

func measure(_ type: KeyType) throws {
    let root = try LocalCertificateAuthority(keyType: type)
    let intermediate = try root.intermediate(keyType: type)
    let server = try intermediate.issue([.dns(host)], keyType: type)
    let sent = server.chain.map(\.der)
    let store = lend(root.certificate) { baseline_store($0) }
    let evaluator = try PublicKeyPinsTrustEvaluator(
        pins: [intermediate.certificate.publicKeyPin.description, "sha256/\(String(repeating: "A", count: 43))="],
        roots: .certificates([root.certificate])
    )

    func openSSL() {
        let verified = lend(server.certificate) { leaf in
            lend(intermediate.certificate) { baseline_verify(store, leaf, $0, host) }
        }
        precondition(verified == 1)
    }
    func linchpin() throws {
        let chain = try sent.map { try Certificate(der: $0) }
        let trust = try ServerTrust(presentedChain: chain, host: host, date: Date())
        try evaluator.evaluate(trust, forHost: trust.host)
    }

    // The two take turns, so that both see the same machine.
    let clock = ContinuousClock()
    var measured: [(base: Duration, ours: Duration)] = []
    for _ in 0..<15 {
        let base = clock.measure { for _ in 0..<rounds { openSSL() } }
        measured.append((base, try clock.measure { for _ in 0..<rounds { try linchpin() } }))
    }
    measured.sort { $0.ours / $0.base < $1.ours / $1.base }
    let median = measured[measured.count / 2]
    func microseconds(_ time: Duration) -> Double { (time / .microseconds(1) / Double(rounds)).rounded() }
    let added = ((median.ours / median.base - 1) * 1000).rounded() / 10
    print("\(type): OpenSSL \(microseconds(median.base)) µs, Linchpin \(microseconds(median.ours)) µs, +\(added) %")
}

for type in [KeyType.p256, .rsa(bits: 2048), .p384] { try measure(type) }
