public import Foundation

extension ImportedPolicy {
    /// Makes a policy of a property list with a TrustKit configuration, XML or binary.
    ///
    /// - Parameters:
    ///   - plist: the configuration itself, or an `Info.plist` that has it under `TSKConfiguration`; whatever else such a
    ///     file says is not about trust and not looked at.
    ///   - fields: keys that may be left out where no policy can say what they say; none by default.
    /// - Throws: ``PolicyImportError`` with every finding; see ``init(trustKitConfiguration:leavingOut:)``.
    public init(trustKit plist: Data, leavingOut fields: Set<String> = []) throws(PolicyImportError) {
        var root: Any?
        var reason = "it is longer than \(PolicyText.mostBytes) bytes"
        if plist.count <= PolicyText.mostBytes {
            do {
                root = try PropertyListSerialization.propertyList(from: plist, format: nil)
            } catch {
                reason = "it is not a property list: \((error as NSError).userInfo["NSDebugDescription"] ?? error)"
            }
        }
        guard let root else {
            throw PolicyImportError(findings: [
                .init(field: "plist", place: "the property list", reason: reason, canBeLeftOut: false)
            ])
        }
        let information = root as? [String: Any]
        let configuration = information?["TSKConfiguration"] as? [String: Any]
        try self.init(trustKitConfiguration: configuration ?? information ?? [:], leavingOut: fields)
    }

    /// Makes a policy of a TrustKit configuration as Swift has it, with the keys' own names: `kTSKPinnedDomains` is
    /// `"TSKPinnedDomains"`.
    ///
    /// | Key | In the policy |
    /// |---|---|
    /// | `TSKPinnedDomains` | the entries |
    /// | `TSKPublicKeyHashes` | `pins`; two at least, as TrustKit wants them, where pinning is enforced |
    /// | `TSKIncludeSubdomains` | `**.` before the host |
    /// | `TSKEnforcePinning` | `false`: `"onMismatch": "reportOnly"`, for which the program hands over who takes reports |
    /// | `TSKExcludeSubdomainFromParentPolicy` | an entry with the usual validation |
    /// | `TSKExpirationDate` | `expiration`, after which the usual validation counts |
    /// | `TSKPublicKeyAlgorithms` | nothing: a pin is that of a key with its algorithm |
    /// | `TSKDisableDefaultReportUri` | `true`: nothing, since nothing is posted anywhere |
    /// | `TSKSwizzleNetworkDelegates` | `false`: nothing, since nothing is swizzled |
    /// | `TSKIgnorePinningForUserDefinedTrustAnchors` | `false`: nothing, since no root is above pins |
    ///
    /// No policy can say what the last three say with another value, nor `TSKReportUris` and `TSKAdditionalTrustAnchors`;
    /// these may be left out. A key that is not known may be too.
    ///
    /// - Parameters:
    ///   - configuration: what TrustKit is initialised with.
    ///   - fields: keys that may be left out where no policy can say what they say; none by default.
    /// - Throws: ``PolicyImportError`` with every finding.
    public init(
        trustKitConfiguration configuration: [String: Any],
        leavingOut fields: Set<String> = []
    ) throws(PolicyImportError) {
        var reading = TrustKitReading(draft: PolicyDraft(leavingOut: fields))
        reading.read(configuration)
        self = try reading.draft.policy()
    }
}
