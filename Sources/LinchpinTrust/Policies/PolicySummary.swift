/// What one entry of a policy file says, for reports about a policy.
package struct PolicySummary: Sendable {
    /// The pattern as it is written.
    package let pattern: String
    /// What is checked, in words.
    package let checks: String
    /// The pins; empty where none are pinned by digest.
    package let pins: [PublicKeyPin]
    /// Until when the pins are in force; nil for ever.
    package let expiration: PinExpiration?
    /// Whether revocation is looked at.
    package let asksRevocation: Bool
    /// Whether transparency is looked at.
    package let asksTransparency: Bool
    /// The name of what is shown to the hosts if they ask; nil for nothing.
    package let clientIdentity: String?
}
