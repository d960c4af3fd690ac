internal import Foundation

/// The bytes of a policy file, up to the one JSON value in them.
package struct PolicyText {
    /// Many times the longest table that somebody writes.
    package static let mostBytes = 1 << 20

    let bytes: Data
    /// How many bytes are read.
    var limit = mostBytes

    /// The value.
    ///
    /// - Throws: ``TrustError`` with code `malformedPolicy` and the place `$`, or that of a name that stands twice.
    func root() throws(TrustError) -> PolicyNode {
        let file = PolicyNode(NSNull())
        guard bytes.count <= limit else { throw file.fault("there are more than \(limit) bytes") }
        guard !bytes.isEmpty else { throw file.fault("there is nothing; write at least {\"version\": 1}") }
        // JSONSerialization would read UTF-16 and UTF-32, which have a NUL in every character of JSON's own or a mark.
        guard !bytes.contains(0), bytes.first != 0xFE, bytes.first != 0xFF else {
            throw file.fault("the text is not UTF-8 but UTF-16 or UTF-32, it seems; save it as UTF-8")
        }
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)
        } catch {
            let words = (error as NSError).userInfo["NSDebugDescription"] as? String
            throw file.fault("the text is not JSON: \(words ?? "\(error)")", cause: error)
        }
        if let place = PolicyNames(json: bytes).placeOfRepeatedName {
            throw PolicyNode(NSNull(), place: place).fault("the name stands twice in its object; keep one")
        }
        return PolicyNode(value)
    }
}
