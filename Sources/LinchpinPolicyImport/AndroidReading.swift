internal import Foundation
internal import LinchpinTrust

/// Reads an Android network security configuration into a draft.
struct AndroidReading {
    var draft: PolicyDraft
    /// The files that `@raw/NAME` stands for.
    let rawResources: [String: String]
    /// Hosts to which plain HTTP is allowed and of which there is nothing else to say, with their places.
    private var withoutEntry: [(name: String, place: String)] = []
    private var seen: Set<String> = []

    init(draft: PolicyDraft, rawResources: [String: String]) {
        self.draft = draft
        self.rawResources = rawResources
    }

    /// What holds for hosts, handed down from the elements around them.
    struct Setting {
        var permitsCleartext: Bool?
        /// nil for the system's.
        var rootFiles: [String]?
        var pins: [PublicKeyPin] = []
        var expiration: String?
    }

    /// Reads the outermost element.
    mutating func read(_ root: XMLNode) {
        guard root.name == "network-security-config" else {
            let reason = "the outermost element is \(PolicyNode.quoted(root.name)), not network-security-config"
            return draft.fault(root.name, at: root.place, reason)
        }
        refuseUnknownAttributes(of: root, [])
        var base = Setting()
        let bases = root.children.filter { $0.name == "base-config" }
        // Before the rest, wherever it stands: the rest has what it says.
        if let element = bases.first { base = readBase(element) }
        for second in bases.dropFirst() { draft.fault(second.name, at: second.place, "there is one already") }
        for child in root.children {
            switch child.name {
            case "base-config": break
            case "domain-config": readDomains(child, base)
            case "debug-overrides":
                let content = child.children.map(\.name).joined(separator: ", ")
                let reason =
                    "a policy has no second set of rules for builds that are debugged (\(content)); left out, "
                    + "there is what release builds do"
                draft.cannotExpress(child.name, at: child.place, reason)
            default: draft.cannotExpress(child.name, at: child.place, "the element is not known")
            }
        }
        settleHostsWithoutEntry()
    }

    private mutating func readBase(_ element: XMLNode) -> Setting {
        refuseUnknownAttributes(of: element, ["cleartextTrafficPermitted", "hstsEnforced"])
        refuseRepetition(in: element)
        var setting = Setting()
        readCleartext(element, &setting)
        if setting.permitsCleartext == false {
            let reason =
                "hosts without an entry may be spoken to over plain http; left out, only hosts with one may not"
            draft.cannotExpress("cleartextTrafficPermitted", at: element.place, reason)
        }
        for child in element.children {
            switch child.name {
            case "trust-anchors":
                setting.rootFiles = roots(child)
                if setting.rootFiles != nil {
                    let reason =
                        "hosts without an entry are judged by the system's roots; left out, only the hosts of a "
                        + "domain-config are judged by these"
                    draft.cannotExpress(child.name, at: child.place, reason)
                }
            case "pin-set":
                readPins(child, &setting)
                let reason =
                    "hosts without an entry have no pins; left out, only the hosts of a domain-config have these"
                if !setting.pins.isEmpty { draft.cannotExpress(child.name, at: child.place, reason) }
            default: readCommon(child)
            }
        }
        return setting
    }

    private mutating func readDomains(_ element: XMLNode, _ outer: Setting) {
        refuseUnknownAttributes(of: element, ["cleartextTrafficPermitted", "hstsEnforced"])
        refuseRepetition(in: element)
        var setting = outer
        readCleartext(element, &setting)
        for child in element.children {
            switch child.name {
            case "trust-anchors": setting.rootFiles = roots(child)
            case "pin-set": readPins(child, &setting)
            case "domain", "domain-config": break
            case "trustkit-config": readTrustKit(child)
            default: readCommon(child)
            }
        }
        let domains = element.children.filter { $0.name == "domain" }
        if domains.isEmpty { draft.fault(element.name, at: element.place, "it has no domain") }
        for domain in domains { insert(domain, setting) }
        for child in element.children where child.name == "domain-config" { readDomains(child, setting) }
    }

    private mutating func insert(_ element: XMLNode, _ setting: Setting) {
        refuseUnknownAttributes(of: element, ["includeSubdomains"])
        refuseChildren(of: element)
        let name = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
        let includesSubdomains = boolean("includeSubdomains", of: element) ?? false
        let isBare = setting.pins.isEmpty && setting.rootFiles == nil
        if setting.permitsCleartext == true, isBare {
            // No pattern is made of it: `localhost` with the names below it has none.
            guard let host = draft.pattern(name, includesSubdomains: false, field: "domain", at: element.place) else {
                return
            }
            noteTwice(host, element)
            return withoutEntry.append((host, element.place))
        }
        if setting.permitsCleartext == true {
            let reason =
                "\(PolicyNode.quoted(name)) needs an entry, and hosts with one are never spoken to over plain http"
            draft.cannotExpress("cleartextTrafficPermitted", at: element.place, reason)
        }
        let pattern = draft.pattern(
            name,
            includesSubdomains: includesSubdomains,
            field: "domain",
            at: element.place
        )
        guard let pattern else { return }
        noteTwice(pattern.hasPrefix("**.") ? String(pattern.dropFirst(3)) : pattern, element)
        draft.hosts[pattern] = entry(setting)
    }

    private mutating func noteTwice(_ host: String, _ element: XMLNode) {
        guard !seen.insert(host).inserted else { return }
        draft.fault("domain", at: element.place, "\(host) is in another place already, and Android takes it once")
    }

    private func entry(_ setting: Setting) -> [String: Any] {
        var entry: [String: Any] = [:]
        if let files = setting.rootFiles { entry["roots"] = files }
        guard !setting.pins.isEmpty else { return entry }
        entry["pins"] = setting.pins.map(\.description)
        // Android is content with one.
        if Set(setting.pins).count == 1 { entry["requiresBackupPin"] = false }
        if let date = setting.expiration {
            entry["expiration"] = ["date": date, "afterwards": "fallBackToDefaultValidation"]
        }
        return entry
    }

    /// Hosts that shall have no entry have none above them either.
    private mutating func settleHostsWithoutEntry() {
        let parents = draft.hosts.keys.filter { $0.hasPrefix("**.") }.map { String($0.dropFirst(3)) }.sorted()
        for (name, place) in withoutEntry {
            guard let parent = parents.first(where: { name == $0 || name.hasSuffix(".\($0)") }) else { continue }
            let reason =
                "the entry of the names below \(parent) is for \(name) too, and is never spoken to over plain http"
            draft.cannotExpress("cleartextTrafficPermitted", at: place, reason)
        }
    }
}

// MARK: - Parts

extension AndroidReading {
    private mutating func readCleartext(_ element: XMLNode, _ setting: inout Setting) {
        if let permits = boolean("cleartextTrafficPermitted", of: element) { setting.permitsCleartext = permits }
        if boolean("hstsEnforced", of: element) == true {
            draft.cannotExpress(
                "hstsEnforced",
                at: element.place,
                "a policy knows no HSTS; left out, none is looked for"
            )
        }
    }

    /// The files of the roots; nil for the system's.
    private mutating func roots(_ element: XMLNode) -> [String]? {
        refuseUnknownAttributes(of: element, [])
        var (hasSystem, files) = (false, [String]())
        for child in element.children {
            guard child.name == "certificates" else {
                draft.cannotExpress(child.name, at: child.place, "the element is not known")
                continue
            }
            refuseUnknownAttributes(of: child, ["src", "overridePins"])
            if boolean("overridePins", of: child) == true {
                let reason = "no root is above pins in a policy; left out, pins hold for it too"
                draft.cannotExpress("overridePins", at: child.place, reason)
            }
            switch child.attributes["src"] {
            case "system": hasSystem = true
            case "user":
                let reason = "there are no roots of a user's own here; left out, only the others count"
                draft.cannotExpress("src=\"user\"", at: child.place, reason)
            case let source?: readRaw(source, child, &files)
            case nil: draft.fault("src", at: child.place, "it is missing")
            }
        }
        if hasSystem, !files.isEmpty {
            let reason =
                "the system's roots and others beside them cannot be said: roots are the system's or those of files; "
                + "left out, only the others count"
            draft.cannotExpress("src=\"system\"", at: element.place, reason)
        }
        guard hasSystem || !files.isEmpty else {
            let others = Set(element.children.compactMap { $0.attributes["src"] }).subtracting(["user"])
            // What is wrong with the others was said.
            if others.isEmpty {
                draft.fault(element.name, at: element.place, "it has no roots, or none but a user's own")
            }
            return nil
        }
        return files.isEmpty ? nil : files
    }

    private mutating func readRaw(_ source: String, _ element: XMLNode, _ files: inout [String]) {
        let name = source.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        guard source == "@raw/\(name)", !name.isEmpty else {
            let reason = "\(PolicyNode.quoted(source)) is neither \"system\", \"user\" nor \"@raw/NAME\""
            return draft.fault("src", at: element.place, reason)
        }
        guard let file = rawResources[name] else {
            return draft.fault("src", at: element.place, "\(source) stands for a file that was not handed over")
        }
        files.append(file)
    }

    private mutating func readPins(_ element: XMLNode, _ setting: inout Setting) {
        refuseUnknownAttributes(of: element, ["expiration"])
        setting.pins = []
        setting.expiration = nil
        for child in element.children {
            guard child.name == "pin" else {
                draft.cannotExpress(child.name, at: child.place, "the element is not known")
                continue
            }
            refuseUnknownAttributes(of: child, ["digest"])
            refuseChildren(of: child)
            guard child.attributes["digest"] == "SHA-256" else {
                draft.fault("digest", at: child.place, "it has to be \"SHA-256\", as Android wants it too")
                continue
            }
            let text = child.text.trimmingCharacters(in: .whitespacesAndNewlines)
            if let pin = draft.pin(text, field: "pin", at: child.place) { setting.pins.append(pin) }
        }
        guard let date = element.attributes["expiration"] else { return }
        do {
            _ = try PinExpiration(date, afterwards: .fallBackToDefaultValidation)
            setting.expiration = date
        } catch {
            draft.fault("expiration", at: element.place, error.reason)
        }
    }

    /// What TrustKit for Android adds.
    private mutating func readTrustKit(_ element: XMLNode) {
        refuseUnknownAttributes(of: element, ["enforcePinning", "disableDefaultReportUri"])
        if boolean("enforcePinning", of: element) == false {
            let reason =
                "Android itself enforces pins, and TrustKit for Android only reports; left out, they are enforced"
            draft.cannotExpress("enforcePinning", at: element.place, reason)
        }
        if boolean("disableDefaultReportUri", of: element) == false {
            let reason = "a policy posts nothing to anybody; left out, nobody is told"
            draft.cannotExpress("disableDefaultReportUri", at: element.place, reason)
        }
        for child in element.children {
            let reason =
                child.name == "report-uri"
                ? "a policy posts nothing; left out, nobody is told of servers that are refused"
                : "the element is not known"
            draft.cannotExpress(child.name, at: child.place, reason)
        }
    }

    /// What may stand in either kind of configuration.
    private mutating func readCommon(_ element: XMLNode) {
        switch element.name {
        case "certificateTransparency":
            refuseUnknownAttributes(of: element, ["enabled"])
            if boolean("enabled", of: element) ?? true {
                let reason =
                    "Android brings a list of logs, and a policy names a file with one; left out, transparency is "
                    + "not looked at"
                draft.cannotExpress(element.name, at: element.place, reason)
            }
        case "domainEncryption":
            refuseUnknownAttributes(of: element, ["mode"])
            guard element.attributes["mode"] != "disabled" else { return }
            let reason = "the names of hosts are not encrypted here; left out, they are sent in the clear"
            draft.cannotExpress(element.name, at: element.place, reason)
        default: draft.cannotExpress(element.name, at: element.place, "the element is not known")
        }
    }

    // MARK: Values

    private mutating func boolean(_ name: String, of element: XMLNode) -> Bool? {
        switch element.attributes[name]?.lowercased() {
        case nil: return nil
        case "true", "1": return true
        case "false", "0": return false
        case let other?:
            draft.fault(name, at: "\(element.place)@\(name)", "\(PolicyNode.quoted(other)) is neither true nor false")
            return nil
        }
    }

    /// What stands once in Android, which refuses a second one: here it would take the place of the first.
    private static let single: Set<String> = [
        "trust-anchors", "pin-set", "trustkit-config", "certificateTransparency", "domainEncryption",
    ]

    private mutating func refuseRepetition(in element: XMLNode) {
        var seen: Set<String> = []
        for child in element.children where Self.single.contains(child.name) && !seen.insert(child.name).inserted {
            draft.fault(child.name, at: child.place, "there is one already")
        }
    }

    /// Elements that hold text; in others it may be a pin or a host that somebody takes to be there.
    private static let textual: Set<String> = ["domain", "pin", "report-uri"]

    private mutating func refuseUnknownAttributes(of element: XMLNode, _ known: Set<String>) {
        let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
        if !text.isEmpty, !Self.textual.contains(element.name) {
            let reason = "the text \(PolicyNode.quoted(text)) stands where only elements do"
            draft.fault(element.name, at: element.place, reason)
        }
        for name in element.attributes.keys.sorted() where !known.contains(name) {
            // Declarations of namespaces, and what Android's build tools take out.
            if name.hasPrefix("xmlns") || name.hasPrefix("tools:") { continue }
            draft.cannotExpress(name, at: "\(element.place)@\(name)", "the attribute is not known")
        }
    }

    private mutating func refuseChildren(of element: XMLNode) {
        for child in element.children {
            draft.cannotExpress(child.name, at: child.place, "the element is not known")
        }
    }
}
