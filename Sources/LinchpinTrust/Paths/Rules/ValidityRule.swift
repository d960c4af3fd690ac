internal import Foundation

/// RFC 5280 §4.1.2.5: a certificate is valid from notBefore to notAfter, both included.
///
/// OpenSSL takes the second of notAfter itself for the first one after.
struct ValidityRule: PathRule {
    func verdict(on path: CandidatePath) -> RuleVerdict {
        let second = path.date.timeIntervalSince1970.rounded(.down)
        for link in path.links {
            let certificate = link.certificate
            let place = "certificate \(link.depth): \(certificate.subject)"
            if second > certificate.notAfter.timeIntervalSince1970 {
                return .refused(
                    .expired,
                    "certificate has expired, \(place), valid until \(certificate.notAfter.rfc3339); "
                        + "it is now \(path.date.rfc3339)"
                )
            }
            if second < certificate.notBefore.timeIntervalSince1970 {
                return .refused(
                    .notYetValid,
                    "certificate is not yet valid, \(place), valid from \(certificate.notBefore.rfc3339); "
                        + "it is now \(path.date.rfc3339)"
                )
            }
        }
        return .passed
    }
}
