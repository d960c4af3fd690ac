public import Foundation
internal import LinchpinTrust

extension ImportedPolicy {
    /// Makes a policy of an Android network security configuration (`res/xml/network_security_config.xml`).
    ///
    /// | Element or attribute | In the policy |
    /// |---|---|
    /// | `domain-config` | the entries of its hosts; what it does not say it has from the one around it, or from `base-config` |
    /// | `domain`, `includeSubdomains` | the host, with `**.` before it where names below count |
    /// | `pin-set`, `expiration` | `pins` and `expiration`, after which the usual validation counts; one pin is enough |
    /// | `certificates src="system"` | `"roots": "system"` |
    /// | `certificates src="@raw/…"` | a file of `roots`, if it was handed over and the system's roots are not beside it |
    /// | `cleartextTrafficPermitted="false"` of hosts | an entry, which always refuses plain HTTP |
    /// | `cleartextTrafficPermitted="true"` of hosts | no entry, if there is nothing else to say of them and none above |
    /// | `cleartextTrafficPermitted="true"` of `base-config` | nothing: hosts without an entry may be spoken to in the clear |
    /// | `certificateTransparency enabled="false"` | nothing: it is not looked at |
    /// | `domainEncryption mode="disabled"` | nothing: names are not encrypted |
    /// | `trustkit-config`, `enforcePinning="true"`, `disableDefaultReportUri="true"` | nothing: pins hold, nothing is posted |
    ///
    /// No policy can say the rest; it may be left out, and the finding tells what that means: `debug-overrides`, roots of
    /// the user's or of `base-config`, `overridePins`, plain HTTP where an entry is needed, its refusal by `base-config`,
    /// and whatever element or attribute is not known. What is in the namespace `tools` is for Android's build tools and is
    /// never part of an app. What a file does not say, and Android decides by its version, is not said by the policy either.
    ///
    /// - Parameters:
    ///   - document: the XML.
    ///   - rawResources: the PEM or DER files that `@raw/NAME` stands for, by their names; none by default.
    ///   - fields: elements and attributes that may be left out where no policy can say what they say; none by default.
    ///     Those of `certificates` are named by their value: `src="user"`.
    /// - Throws: ``PolicyImportError`` with every finding.
    public init(
        androidNetworkSecurityConfig document: Data,
        rawResources: [String: String] = [:],
        leavingOut fields: Set<String> = []
    ) throws(PolicyImportError) {
        let root: XMLNode
        do {
            root = try XMLNode.root(of: document)
        } catch {
            throw PolicyImportError(findings: [
                .init(field: "xml", place: "line \(error.line)", reason: error.reason, canBeLeftOut: false)
            ])
        }
        var reading = AndroidReading(draft: PolicyDraft(leavingOut: fields), rawResources: rawResources)
        reading.read(root)
        self = try reading.draft.policy()
    }
}
