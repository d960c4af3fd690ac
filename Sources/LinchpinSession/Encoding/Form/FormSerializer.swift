internal import Foundation

/// Writes nodes as the text of a form.
struct FormSerializer {
    let options: URLEncodedFormEncoder

    func text(of object: FormObject) -> String {
        var lines: [String] = []
        for (key, place) in ordered(object) { append(place.node, named: options.keyEncoding.spelled(key), to: &lines) }
        return lines.joined(separator: "&")
    }

    private func append(_ node: FormNode?, named name: String, to lines: inout [String]) {
        switch node {
        case .text(let text): lines.append("\(escaped(name))=\(escaped(text))")
        case .array(let array):
            for (index, place) in array.elements.enumerated() {
                append(place.node, named: options.arrayEncoding.name(name, index), to: &lines)
            }
        case .object(let object):
            for (key, place) in ordered(object) {
                let path = options.keyPathEncoding.encoding(options.keyEncoding.spelled(key))
                append(place.node, named: name + path, to: &lines)
            }
        case nil: break
        }
    }

    private func ordered(_ object: FormObject) -> [(key: String, place: FormPlace)] {
        options.alphabetizeKeyValuePairs ? object.pairs.sorted { $0.key < $1.key } : object.pairs
    }

    private func escaped(_ text: String) -> String {
        let allowed = options.allowedCharacters
        guard case .plusReplaced = options.spaceEncoding else {
            return text.percentEncoded { $0 < 0x80 && allowed.contains(Unicode.Scalar($0)) }
        }
        // A plus sign would be read as a space, whatever else is allowed.
        return text.split(separator: " ", omittingEmptySubsequences: false)
            .map {
                String($0).percentEncoded { byte in
                    byte < 0x80 && byte != UInt8(ascii: "+") && allowed.contains(Unicode.Scalar(byte))
                }
            }
            .joined(separator: "+")
    }
}
