internal import Foundation

/// The names in a JSON text, each as often as it is written.
///
/// JSONSerialization keeps the last of two members with one name and says nothing (RFC 8259 §4 lets it). In a policy the
/// one that is dropped may be the one that was meant.
struct PolicyNames {
    /// A text that JSONSerialization has read: only what tells names apart is looked at here.
    let json: Data

    /// An object or array that is not yet closed.
    private struct Level {
        var names: Set<String> = []
        var last: String?
    }

    /// Where the first name is that its object has already; nil when there is none.
    var placeOfRepeatedName: String? {
        var levels: [Level] = []
        var string = Data()
        var rest = json[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): string = Self.endOfString(&rest)
            case UInt8(ascii: "{"), UInt8(ascii: "["): levels.append(Level())
            case UInt8(ascii: "}"), UInt8(ascii: "]"): levels.removeLast()
            case UInt8(ascii: ":"):
                let name = Self.decoded(string)
                let isNew = levels[levels.count - 1].names.insert(name).inserted
                levels[levels.count - 1].last = name
                guard isNew else { return "$" + levels.compactMap(\.last).map(PolicyNode.step).joined() }
            default: break
            }
        }
        return nil
    }

    /// Takes a string after its first quotation mark, and returns what stands before its last.
    private static func endOfString(_ rest: inout Data) -> Data {
        var string = Data()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            string.append(byte)
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { string.append(escaped) }
        }
        return string
    }

    /// The name without its escapes: `"\u0070ins"` is `pins`.
    private static func decoded(_ string: Data) -> String {
        let quoted = Data("\"".utf8) + string + Data("\"".utf8)
        let name = try? JSONSerialization.jsonObject(with: quoted, options: .fragmentsAllowed) as? String
        return name ?? String(decoding: string, as: UTF8.self)
    }
}
