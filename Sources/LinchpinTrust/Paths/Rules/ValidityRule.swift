internal import Foundation

/// RFC 5280 §4.1.2.5: a certificate is valid from notBefore to notAfter, both included.
///
/// OpenSSL takes the second of notAfter itself for the first one after.
struct ValidityRule: PathRule {
    func verdict(on path: CandidatePath) -> RuleVerdict {
        let second = path.date.timeIntervalSince1970.rounded(.down)
        for link in path.links {
            let (start, end) = (link.certificate.notBefore, link.certificate.notAfter)
            if second > end.timeIntervalSince1970 {
                return .refused(
                    .expired,
                    "certificate has expired, certificate \(link.depth): \(link.certificate.subject), "
                        + "valid until \(end.rfc3339); it is now \(path.date.rfc3339)"
                )
            }
            guard second >= start.timeIntervalSince1970 else {
                return .refused(
                    .notYetValid,
                    "certificate is not yet valid, certificate \(link.depth): \(link.certificate.subject), "
                        + "valid from \(start.rfc3339); it is now \(path.date.rfc3339)"
                )
            }
        }
        return .passed
    }
}
