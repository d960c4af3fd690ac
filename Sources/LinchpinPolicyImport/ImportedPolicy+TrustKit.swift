public import Foundation
internal import LinchpinTrust

extension ImportedPolicy {
    /// Makes a policy of a property list with a TrustKit configuration, XML or binary.
    ///
    /// - Parameters:
    ///   - plist: the configuration itself, or an `Info.plist` that has it under `TSKConfiguration`. Of what else such a
    ///     file says only the pins of App Transport Security, `NSPinnedDomains`, are about which servers are refused: no
    ///     policy is made of them, and they may be left out.
    ///   - fields: keys that may be left out where no policy can say what they say; none by default.
    /// - Throws: ``PolicyImportError`` with every finding; see ``init(trustKitConfiguration:leavingOut:)``.
    public init(trustKit plist: Data, leavingOut fields: Set<String> = []) throws(PolicyImportError) {
        let information = try Self.propertyList(plist) as? [String: Any]
        let configuration = information?["TSKConfiguration"] as? [String: Any]
        var reading = TrustKitReading(draft: PolicyDraft(leavingOut: fields))
        reading.read(configuration ?? information ?? [:])
        if configuration != nil { reading.readAppTransportSecurity(information?["NSAppTransportSecurity"]) }
        self = try reading.draft.policy()
    }

    private static func propertyList(_ plist: Data) throws(PolicyImportError) -> Any {
        var format = PropertyListSerialization.PropertyListFormat.xml
        var (field, place) = ("plist", "the property list")
        var reason = "it is longer than \(PolicyText.mostBytes) bytes"
        if plist.count <= PolicyText.mostBytes {
            do {
                let root = try PropertyListSerialization.propertyList(from: plist, format: &format)
                guard format != .openStep else { throw PropertyListKeys.Fault(reason: "it is neither XML nor binary") }
                if format == .xml { try PropertyListKeys.refuseRepetition(in: plist) }
                return root
            } catch let fault as PropertyListKeys.Fault {
                (field, place, reason) = (fault.key ?? field, fault.line.map { "line \($0)" } ?? place, fault.reason)
            } catch {
                reason = "it is not a property list: \((error as NSError).userInfo["NSDebugDescription"] ?? error)"
            }
        }
        throw PolicyImportError(findings: [.init(field: field, place: place, reason: reason, canBeLeftOut: false)])
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
