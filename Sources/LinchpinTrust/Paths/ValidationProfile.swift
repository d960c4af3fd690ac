/// How strictly a chain is judged, beyond OpenSSL's own verification.
public enum ValidationProfile: Sendable, Hashable {
    /// The rules of public certificate authorities: RFC 5280 and the CA/Browser Forum's Baseline Requirements.
    case webPKI
    /// What keeps anybody from having a name that is not theirs, without the rules of mere form.
    case privatePKI
}
