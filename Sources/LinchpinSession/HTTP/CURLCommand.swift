internal import Foundation
package import FoundationNetworking

/// A request as a command line of curl(1) for a POSIX shell, as `cURLDescription()` shows it.
package enum CURLCommand {
    /// What is shown of credentials, of the values in the query and of the body.
    package enum Secrets: Sendable {
        /// Nothing: `<redacted>` stands for them. Of the body its length is told, and the names of a form's fields.
        case redacted
        /// Everything, so that the command does what the request does.
        case shown
    }

    /// The command.
    ///
    /// - Parameters:
    ///   - request: the request. A body stream is not shown.
    ///   - headers: the session's, which the request's own replace.
    package static func text(
        of request: URLRequest,
        headers: HTTPHeaders = [:],
        secrets: Secrets = .redacted
    ) -> String {
        guard let url = request.url else { return "$ curl command could not be created" }
        var fields = headers
        for field in request.headers { fields.update(field) }
        let body = request.httpBody.map { Body($0, contentType: fields["Content-Type"], secrets: secrets) }
        let method = request.method ?? .get
        var words = ["curl -v", method == .head ? "--head" : "-X \(quoted(method.rawValue))"]
        words += fields.map { "-H \(quoted(field($0, secrets: secrets)))" }
        // curl would say that any body is a form.
        if body != nil, fields["Content-Type"] == nil { words.append("-H 'Content-Type:'") }
        if let body { words.append(body.option) }
        let shown = secrets == .shown ? url.absoluteString : Redaction.url(url.absoluteString)
        // curl would take brackets and braces for a set of URLs.
        if shown.contains(where: "[]{}".contains) { words.append("--globoff") }
        words.append(quoted(shown))
        return "$ \(body?.input ?? "")\(words.joined(separator: " \\\n\t"))"
    }

    /// Text as one word of a shell: within single quotes everything but a single quote means itself.
    static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

    private static func field(_ header: HTTPHeader, secrets: Secrets) -> String {
        if secrets != .shown, HTTPHeader.isSecret(header.name) { return header.description }
        // With a colon curl would take the field away.
        if header.value.isEmpty { return "\(header.name);" }
        return secrets == .shown ? "\(header.name): \(header.value)" : header.description
    }
}

extension CURLCommand {
    /// How a body gets into the command.
    private struct Body {
        let option: String
        /// What writes the body into curl's input; empty for one that is among the words.
        var input = ""

        init(_ data: Data, contentType: String?, secrets: Secrets) {
            guard secrets == .shown else {
                option = "--data-raw \(quoted(Self.redacted(data, contentType: contentType)))"
                return
            }
            if let text = String(validating: data, as: UTF8.self), !text.unicodeScalars.contains(where: \.isUnshown) {
                option = "--data-raw \(quoted(text))"
            } else {
                // A word has no NUL, and a terminal no other control; printf(1) has an escape for every byte. A hyphen is
                // escaped too, since one at the start would be an option.
                input = "printf '\(data.map(Self.escaped).joined())' | "
                option = "--data-binary @-"
            }
        }

        private static func redacted(_ data: Data, contentType: String?) -> String {
            guard let type = contentType.flatMap(MediaRange.init), type.subtype == "x-www-form-urlencoded",
                let text = String(validating: data, as: UTF8.self)
            else { return "<redacted: \(data.count) bytes>" }
            return Redaction.formFields(text)
        }

        private static func escaped(_ byte: UInt8) -> String {
            switch byte {
            case UInt8(ascii: "%"): "%%"
            case UInt8(ascii: "\\"): "\\\\"
            case 0x20..<0x7F where !"-'".utf8.contains(byte): String(UnicodeScalar(byte))
            default: "\\" + String(repeating: "0", count: byte < 8 ? 2 : byte < 64 ? 1 : 0) + String(byte, radix: 8)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether this is a control that would not survive being copied from a log.
    fileprivate var isUnshown: Bool {
        properties.generalCategory == .control && self != "\n" && self != "\t"
    }
}
