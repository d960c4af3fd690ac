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
    switch kind % 5 {
    case 0: readCertificates(data)
    case 1: readPin(text)
    case 2: readPattern(text)
    case 3: readHost(text)
    default: readLine(data)
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
