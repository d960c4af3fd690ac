internal import Foundation
internal import LinchpinTrust

/// One line of a batch.
struct EvaluateQuestion {
    /// The question's name; nil where none could be read.
    let id: String?
    private let members: [String: Any]?

    /// A line that asks nothing that can be answered, or holds something that cannot be read.
    struct Unreadable: Error {
        let reason: String
    }

    /// What a question may hold. Anything else could be a condition that the answer would pass over.
    private static let known: Set<String> = ["id", "roots", "chain", "host", "kind", "time"]

    /// Takes a line without its line feed; never fails, so that every line has an answer.
    init(line: Data) {
        members = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
        id = members?["id"] as? String
    }

    /// The question as it is judged.
    func evaluation(_ profile: ValidationProfile) throws(Unreadable) -> Evaluation {
        guard let members else { throw Unreadable(reason: "the line is not a JSON object") }
        guard id != nil else { throw Unreadable(reason: "\"id\" is not a string") }
        if let unknown = members.keys.sorted().first(where: { !Self.known.contains($0) }) {
            throw Unreadable(reason: "the member \"\(unknown)\" is not known")
        }
        guard let time = members["time"] as? String, let date = Date(rfc3339: time) else {
            throw Unreadable(reason: "\"time\" is not a time such as \"2030-01-31T12:00:00Z\"")
        }
        return Evaluation(
            policy: Evaluation.policy(roots: try certificates("roots"), profile: profile),
            chain: try certificates("chain"),
            host: try host(),
            date: date
        )
    }

    private func certificates(_ name: String) throws(Unreadable) -> [Certificate] {
        guard let texts = members?[name] as? [String] else {
            throw Unreadable(reason: "\"\(name)\" is not an array of strings")
        }
        var certificates: [Certificate] = []
        for (index, text) in texts.enumerated() {
            do {
                certificates += try Certificate.certificates(pem: text)
            } catch {
                throw Unreadable(reason: "\(name)[\(index)]: \(error.reason)")
            }
        }
        return certificates
    }

    private func host() throws(Unreadable) -> ReferenceIdentity {
        guard let text = members?["host"] as? String, let kind = members?["kind"] as? String else {
            throw Unreadable(reason: "\"host\" or \"kind\" is not a string")
        }
        let host: ReferenceIdentity
        do {
            host = try Evaluation.host(text)
        } catch {
            throw Unreadable(reason: error.reason)
        }
        switch (kind, host) {
        case ("dns", .dns), ("ip", .ip): return host
        case ("dns", _), ("ip", _): throw Unreadable(reason: "\"host\" is not of the kind \"\(kind)\"")
        default: throw Unreadable(reason: "\"kind\" is neither \"dns\" nor \"ip\"")
        }
    }
}
