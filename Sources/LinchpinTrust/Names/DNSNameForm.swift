/// The form of DNS names in certificates: RFC 1034 §3.5 as changed by RFC 1123 §2.1, in A-labels.
enum DNSNameForm {
    /// What of a name in a certificate is wrong; nil when it is well formed.
    ///
    /// `*` may be the whole left-most label (RFC 9525 §6.3); underscores and names that look like an address are let
    /// through only where `isLenient`.
    static func fault(in name: [UInt8], isLenient: Bool) -> String? {
        var name = name[...]
        if name.starts(with: [UInt8(ascii: "*"), UInt8(ascii: ".")]) { name = name.dropFirst(2) }
        return hostFault(in: name, isLenient: isLenient)
    }

    /// What of a name without a wildcard is wrong; nil when it is well formed.
    static func hostFault(in name: ArraySlice<UInt8>, isLenient: Bool) -> String? {
        guard !name.isEmpty else { return "is empty" }
        guard name.count <= 253 else { return "is longer than 253 characters" }
        var isNumber = true
        for label in name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard !label.isEmpty else { return "has an empty label" }
            guard label.count <= 63 else { return "has a label longer than 63 characters" }
            guard label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else {
                return "has a label that begins or ends with a hyphen"
            }
            isNumber = true
            for byte in label {
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): continue
                case UInt8(ascii: "_") where isLenient: isNumber = false
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
                    isNumber = false
                default: return "has a character that no host name has"
                }
            }
        }
        return isNumber && !isLenient ? "is an address" : nil
    }
}
