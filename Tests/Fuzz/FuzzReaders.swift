import Foundation
import LinchpinTrust

/// What libFuzzer calls: the first byte of the input chooses the reader, the rest is what it reads.
///
/// Nothing that a reader is given may crash it. What it accepts has to mean the same when it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let kind = input.first else { return 0 }
    let data = Data(input.dropFirst())
    let text = String(decoding: data, as: UTF8.self)
    switch kind % 6 {
    case 0: readCertificates(data)
    case 1: readPin(text)
    case 2: readPattern(text)
    case 3: readHost(text)
    case 4: readLine(data)
    default: readLines(data)
    }
    return 0
}

private func readCertificates(_ data: Data) {
    guard let certificates = try? Certificate.certificates(pem: data) else { return }
    for certificate in certificates {
        let again = try? Certificate(pem: certificate.pem)
        precondition(again == certificate, "a certificate changed on its way through PEM")
        _ = certificate.description + certificate.subjectAlternativeNames.description
        if let trust = try? ServerTrust(presentedChain: certificates, host: "a.example.com", date: Date()) {
            _ = try? trust.validateHost()
            _ = try? trust.validatedChain(roots: .certificates([certificate]))
        }
    }
}

private func readPin(_ text: String) {
    guard let pin = try? PublicKeyPin(text) else { return }
    precondition((try? PublicKeyPin(pin.description)) == pin, "a pin changed on its way through its text")
}

private func readPattern(_ text: String) {
    guard let manager = try? ServerTrustManager(evaluators: [text: DefaultTrustEvaluator()]) else { return }
    _ = try? manager.serverTrustEvaluator(forHost: text)
}

private func readHost(_ text: String) {
    guard let identity = try? ReferenceIdentity(host: text) else { return }
    let again = try? ReferenceIdentity(host: identity.description)
    precondition(again == identity, "a host changed on its way through its canonical form")
}

private func readLine(_ data: Data) {
    let question = EvaluateQuestion(line: data)
    guard let evaluation = try? question.evaluation(.webPKI) else { return }
    _ = try? evaluation.refusal()
}

/// What is read from a pipe is what was written, cut at the line feeds.
private func readLines(_ data: Data) {
    // A pipe takes this much without a reader.
    let input = data.prefix(65_536)
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0, "no pipe")
    defer { close(ends[0]) }
    let written = input.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    close(ends[1])
    precondition(written == input.count, "the pipe is too small")
    var lines: [Data] = []
    var reader = LineReader(descriptor: ends[0])
    while case .bytes(let line)? = try? reader.next() { lines.append(line) }
    var expected = input.split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
    if expected.last?.isEmpty == true { expected.removeLast() }
    precondition(lines == expected, "a line was lost or changed")
}
