internal import Foundation
internal import LinchpinTrust

/// Reads a TrustKit configuration into a draft.
struct TrustKitReading {
    var draft: PolicyDraft

    private static let domainKeys: Set<String> = [
        "TSKPublicKeyHashes", "TSKIncludeSubdomains", "TSKEnforcePinning", "TSKExpirationDate", "TSKReportUris",
        "TSKDisableDefaultReportUri", "TSKPublicKeyAlgorithms", "TSKAdditionalTrustAnchors",
    ]
    /// As it is documented, and as its constant is spelt.
    private static let exclusionKeys: Set<String> = [
        "TSKExcludeSubdomainFromParentPolicy", "kSKExcludeSubdomainFromParentPolicy",
    ]
    private static let algorithms: Set<String> = [
        "TSKAlgorithmRsa2048", "TSKAlgorithmRsa4096", "TSKAlgorithmEcDsaSecp256r1", "TSKAlgorithmEcDsaSecp384r1",
    ]

    /// Reads a configuration.
    mutating func read(_ configuration: [String: Any]) {
        for (key, value) in configuration.sorted(by: { $0.key < $1.key }) {
            switch key {
            case "TSKPinnedDomains": readDomains(value)
            case "TSKSwizzleNetworkDelegates":
                let reason =
                    "nothing is swizzled here: URLSessions that are to be judged by the policy have to be made so"
                expect(false, value, key, at: key, reason)
            case "TSKIgnorePinningForUserDefinedTrustAnchors":
                expect(false, value, key, at: key, "no root is above pins here; left out, pins hold for every root")
            default:
                draft.cannotExpress(key, at: key, "the key is not known")
            }
        }
        guard configuration["TSKPinnedDomains"] == nil else { return }
        draft.fault("TSKPinnedDomains", at: "TSKPinnedDomains", "it is missing, and is what a configuration is about")
    }

    /// What an Info.plist says beside the configuration. Only its pins refuse servers that would else be let in.
    mutating func readAppTransportSecurity(_ value: Any?) {
        guard let pinned = (value as? [String: Any])?["NSPinnedDomains"] else { return }
        guard (pinned as? [String: Any])?.isEmpty != true else { return }
        let reason = "no policy is made of the pins of App Transport Security; left out, they do not hold"
        draft.cannotExpress("NSPinnedDomains", at: "NSAppTransportSecurity.NSPinnedDomains", reason)
    }

    private mutating func readDomains(_ value: Any) {
        let key = "TSKPinnedDomains"
        guard let domains = value as? [String: Any], !domains.isEmpty else {
            return draft.fault(key, at: key, "a dictionary of domains is wanted here, and it has none")
        }
        for (domain, value) in domains.sorted(by: { $0.key < $1.key }) {
            let place = "\(key).\(Self.shown(domain))"
            guard let policy = value as? [String: Any] else {
                draft.fault(domain, at: place, "a dictionary is wanted here")
                continue
            }
            readDomain(domain, policy, place)
        }
    }

    private mutating func readDomain(_ domain: String, _ policy: [String: Any], _ place: String) {
        if let exclusion = policy.first(where: { Self.exclusionKeys.contains($0.key) }),
            boolean(exclusion.value, exclusion.key, at: "\(place).\(exclusion.key)") ?? true
        {
            for key in policy.keys.sorted() where !Self.exclusionKeys.contains(key) {
                draft.fault(key, at: "\(place).\(key)", "it stands beside \(exclusion.key), which takes no other key")
            }
            insert([:], domain, includesSubdomains: false, place)
            return
        }
        for key in policy.keys.sorted() where !Self.domainKeys.union(Self.exclusionKeys).contains(key) {
            draft.cannotExpress(key, at: "\(place).\(Self.shown(key))", "the key is not known")
        }
        let includesSubdomains = flag("TSKIncludeSubdomains", in: policy, place) ?? false
        let isEnforced = flag("TSKEnforcePinning", in: policy, place) ?? true
        var entry: [String: Any] = [:]
        let hashes = policy["TSKPublicKeyHashes"] as? [Any] ?? []
        let pins = pins(hashes, place)
        entry["pins"] = pins.map(\.description)
        if !isEnforced {
            entry["onMismatch"] = "reportOnly"
            if Set(pins).count == 1 { entry["requiresBackupPin"] = false }
        } else if pins.count == hashes.count, Set(pins).count == 1 {
            let reason = "there is one pin, and TrustKit as well as a policy wants a second one for the day it changes"
            draft.fault("TSKPublicKeyHashes", at: "\(place).TSKPublicKeyHashes", reason)
        }
        entry["expiration"] = expiration(policy["TSKExpirationDate"], place)
        readAlgorithms(policy["TSKPublicKeyAlgorithms"], place)
        readReporting(policy, place)
        insert(entry, domain, includesSubdomains: includesSubdomains, place)
    }

    private mutating func insert(
        _ entry: [String: Any],
        _ domain: String,
        includesSubdomains: Bool,
        _ place: String
    ) {
        let pattern = draft.pattern(domain, includesSubdomains: includesSubdomains, field: domain, at: place)
        guard let pattern else { return }
        guard draft.hosts.updateValue(entry, forKey: pattern) == nil else {
            return draft.fault(domain, at: place, "the same domain is there in another spelling")
        }
    }

    private mutating func pins(_ hashes: [Any], _ place: String) -> [PublicKeyPin] {
        let key = "TSKPublicKeyHashes"
        guard !hashes.isEmpty else {
            draft.fault(key, at: "\(place).\(key)", "an array of hashes is wanted here, and there is none")
            return []
        }
        var pins: [PublicKeyPin] = []
        for (index, hash) in hashes.enumerated() {
            let place = "\(place).\(key)[\(index)]"
            guard let text = hash as? String else {
                draft.fault(key, at: place, "a string is wanted here")
                continue
            }
            if let pin = draft.pin(text, field: key, at: place) { pins.append(pin) }
        }
        return pins
    }

    private mutating func expiration(_ value: Any?, _ place: String) -> [String: Any]? {
        guard let value else { return nil }
        let key = "TSKExpirationDate"
        let date = (value as? String) ?? (value as? Date)?.rfc3339 ?? ""
        do {
            _ = try PinExpiration(date, afterwards: .fallBackToDefaultValidation)
            return ["date": date, "afterwards": "fallBackToDefaultValidation"]
        } catch {
            draft.fault(key, at: "\(place).\(key)", "\(error.reason); TrustKit would take such pins to be for ever")
            return nil
        }
    }

    private mutating func readAlgorithms(_ value: Any?, _ place: String) {
        guard let value else { return }
        let key = "TSKPublicKeyAlgorithms"
        guard let names = value as? [String], !names.isEmpty, Self.algorithms.isSuperset(of: names) else {
            let known = Self.algorithms.sorted().joined(separator: ", ")
            return draft.fault(key, at: "\(place).\(key)", "an array of some of \(known) is wanted here")
        }
    }

    private mutating func readReporting(_ policy: [String: Any], _ place: String) {
        if let value = policy["TSKReportUris"], (value as? [Any])?.isEmpty != true {
            let reason =
                "a policy posts nothing: the program gets reports where onMismatch says so, and posts them itself; "
                + "left out, none are made of servers that are refused"
            draft.cannotExpress("TSKReportUris", at: "\(place).TSKReportUris", reason)
        }
        if let value = policy["TSKDisableDefaultReportUri"] {
            let key = "TSKDisableDefaultReportUri"
            expect(
                true,
                value,
                key,
                at: "\(place).\(key)",
                "a policy posts nothing to anybody; left out, nobody is told"
            )
        }
        if policy["TSKAdditionalTrustAnchors"] != nil {
            let reason = "roots beside the system's cannot be said; left out, only the system's count"
            draft.cannotExpress("TSKAdditionalTrustAnchors", at: "\(place).TSKAdditionalTrustAnchors", reason)
        }
    }

    // MARK: Values

    private mutating func flag(_ key: String, in policy: [String: Any], _ place: String) -> Bool? {
        policy[key].flatMap { boolean($0, key, at: "\(place).\(key)") }
    }

    private mutating func boolean(_ value: Any, _ key: String, at place: String) -> Bool? {
        if let flag = value as? Bool { return flag }
        draft.fault(key, at: place, "true or false is wanted here")
        return nil
    }

    /// A value that says nothing where it is the expected one.
    private mutating func expect(_ expected: Bool, _ value: Any, _ key: String, at place: String, _ reason: String) {
        guard let flag = boolean(value, key, at: place), flag != expected else { return }
        draft.cannotExpress(key, at: place, "it is \(flag): \(reason)")
    }

    private static func shown(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && name.utf8.count <= 253
        return isPlain ? name : PolicyNode.quoted(name)
    }
}
