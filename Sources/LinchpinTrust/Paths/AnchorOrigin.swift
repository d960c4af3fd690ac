/// Who says that an anchor is to be trusted.
enum AnchorOrigin {
    /// Whoever made the evaluator gave the certificate.
    case caller
    /// It is in the system's bundle, which holds public authorities that were weighed and are audited.
    ///
    /// The form of such a root is not judged (RFC 5280 §6.1.1(d)): some old ones are not in today's. And such an
    /// authority issues a wildcard for all hosts of an operator such as `*.s3.amazonaws.com`, a name of the private
    /// section of the public suffix list, only to who controls all of them (CA/B BR §3.2.2.6).
    case system
}
