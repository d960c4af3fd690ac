internal import Foundation

/// RFC 5280 §4.1.2.5: a certificate is valid from notBefore to notAfter, both included.
///
/// OpenSSL takes the second of notAfter itself for the first one after.
struct ValidityRule: PathRule {
    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.links {
            let (start, end) = (link.certificate.notBefore, link.certificate.notAfter)
            if end.isOver(at: path.date) {
                return .refused(
                    .expired,
                    "certificate has expired, certificate \(link.depth): \(link.certificate.subject), "
                        + "valid until \(end.rfc3339); it is now \(path.date.rfc3339)"
                )
            }
            guard path.date >= start else {
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
