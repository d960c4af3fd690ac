internal import Foundation
internal import LinchpinTrust

/// The reader of PEM text: whatever it is given, it returns certificates that encode again to what was read, or throws.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPEM(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let text = Data(UnsafeBufferPointer(start: bytes, count: count))
    guard let certificates = try? Certificate.certificates(pem: text) else { return 0 }
    precondition(!certificates.isEmpty, "a text without a certificate was accepted")
    for certificate in certificates {
        let again = try? Certificate(pem: certificate.pem)
        precondition(again == certificate, "a certificate changed by being written")
        _ = "\(certificate) \(certificate.subjectAlternativeNames)"
    }
    return 0
}
