internal import Foundation

/// A value of a policy file and its place, such as `$.hosts["api.example.com"].pins[1]`.
package struct PolicyNode {
    let place: String
    private let value: Any

    /// Takes what JSONSerialization made; `$` is the whole file.
    init(_ value: Any, place: String = "$") {
        self.value = value
        self.place = place
    }

    /// The fields of an object of which all are known.
    func fields(_ known: Set<String>) throws(TrustError) -> [String: PolicyNode] {
        guard let object = value as? [String: Any] else { throw fault(wanted: "an object") }
        // In order, so that of several mistakes the same one is told each time.
        if let unknown = object.keys.sorted().first(where: { !known.contains($0) }) {
            let words = "the field is not known here; known are \(known.sorted().joined(separator: ", "))"
            throw PolicyNode(NSNull(), place: place + Self.step(unknown)).fault(words)
        }
        var fields: [String: PolicyNode] = [:]
        for (name, value) in object { fields[name] = PolicyNode(value, place: place + Self.step(name)) }
        return fields
    }

    /// One field of an object whose other fields are not looked at yet.
    func field(_ name: String) throws(TrustError) -> PolicyNode? {
        guard let object = value as? [String: Any] else { throw fault(wanted: "an object") }
        return object[name].map { PolicyNode($0, place: place + Self.step(name)) }
    }

    /// The members of an object whose names are the writer's own, in order.
    func members() throws(TrustError) -> [(name: String, node: PolicyNode)] {
        guard let object = value as? [String: Any] else { throw fault(wanted: "an object") }
        return object.sorted { $0.key < $1.key }
            .map { ($0.key, PolicyNode($0.value, place: place + Self.quotedStep($0.key))) }
    }

    /// The elements of an array.
    func elements() throws(TrustError) -> [PolicyNode] {
        guard let array = value as? [Any] else { throw fault(wanted: "an array") }
        return array.enumerated().map { PolicyNode($1, place: "\(place)[\($0)]") }
    }

    func string() throws(TrustError) -> String {
        guard let string = value as? String else { throw fault(wanted: "a string") }
        return string
    }

    func boolean() throws(TrustError) -> Bool {
        guard let number = value as? NSNumber, Self.isBoolean(number) else { throw fault(wanted: "true or false") }
        return number.boolValue
    }

    /// The digits of a number, as it is written unless it has a fraction or an exponent.
    func number() throws(TrustError) -> String {
        guard let number = value as? NSNumber, !Self.isBoolean(number) else { throw fault(wanted: "a number") }
        return number.stringValue
    }

    /// The value that a word stands for.
    func choice<Choice>(_ choices: [String: Choice]) throws(TrustError) -> Choice {
        let word = try string()
        guard let choice = choices[word] else {
            let known = choices.keys.sorted().map { "\"\($0)\"" }.joined(separator: " nor ")
            throw fault("\(Self.quoted(word)) is neither \(known)")
        }
        return choice
    }

    /// Whether the value is a string, which one of two forms is.
    var isString: Bool { value is String }

    /// The mistake that is made here.
    func fault(_ why: String, cause: (any Error)? = nil) -> TrustError {
        TrustError(.malformedPolicy, reason: "\(place): \(why)", cause: cause)
    }

    /// A mistake that something else found in the value.
    func fault(_ cause: TrustError) -> TrustError { fault(cause.reason, cause: cause) }

    /// A mistake in an object: a field that has to be there.
    func missing(_ name: String, _ example: String) -> TrustError {
        PolicyNode(NSNull(), place: place + Self.step(name)).fault("it is missing; write \(example)")
    }

    func fault(wanted: String) -> TrustError { fault("\(wanted) is wanted here, not \(kind)") }

    private var kind: String {
        switch value {
        case is String: "a string"
        case is [Any]: "an array"
        case is [String: Any]: "an object"
        case let number as NSNumber: Self.isBoolean(number) ? "true or false" : "a number"
        default: "null"
        }
    }

    /// A number can be cast to Bool and a boolean to Int: only the type that it was made of tells them apart.
    private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}

// MARK: - Places

extension PolicyNode {
    /// What leads from an object to a member, `.pins` where the name is a word.
    static func step(_ name: String) -> String {
        let isWord = !name.isEmpty && name.utf8.count <= 100 && name.utf8.allSatisfy(isLetter)
        return isWord ? ".\(name)" : quotedStep(name)
    }

    /// What leads from an object to a member whose name is the writer's own.
    static func quotedStep(_ name: String) -> String { "[\(quoted(name))]" }

    /// A text of the file as an error shows it: no longer than a line or two, and without control characters.
    package static func quoted(_ text: String) -> String {
        text.count > 200 ? "\(String(text.prefix(200)).debugDescription)…" : text.debugDescription
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
