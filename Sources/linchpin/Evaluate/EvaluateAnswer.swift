internal import Foundation

/// The answer to one line of a batch.
struct EvaluateAnswer {
    /// The question's, where it had one that could be read.
    let id: String?
    /// Why the chain is not trusted; nil when it is.
    let refusal: String?

    /// The answer as JSON with a line feed.
    var line: Data {
        let id = id.map { $0 as Any } ?? NSNull()
        let error = refusal.map { $0 as Any } ?? NSNull()
        let object: [String: Any] = ["id": id, "trusted": refusal == nil, "error": error]
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, a boolean and null can always be encoded; if not, nothing is trusted.
        let refused = Data(#"{"error":"the answer could not be encoded","id":null,"trusted":false}"#.utf8)
        return ((try? JSONSerialization.data(withJSONObject: object, options: options)) ?? refused) + [0x0A]
    }
}
