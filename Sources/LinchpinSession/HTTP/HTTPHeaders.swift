/// The fields of a header section in their order; names are compared without regard to case.
///
/// ``add(name:value:)`` and ``update(name:value:)`` keep one field of a name, as Alamofire's do;
/// ``append(name:value:)`` keeps the earlier ones too.
public struct HTTPHeaders: Hashable, Sendable {
    private var fields: [HTTPHeader] = []

    /// No fields.
    public init() {}

    /// The given fields; of those with one name the last is kept.
    public init(_ headers: [HTTPHeader]) { for header in headers { update(header) } }

    /// The given fields, in the alphabetical order of their names.
    public init(_ dictionary: [String: String]) {
        self.init(dictionary.sorted { $0.key < $1.key }.map { HTTPHeader(name: $0.key, value: $0.value) })
    }

    /// Sets the field of this name.
    public mutating func add(name: String, value: String) { update(HTTPHeader(name: name, value: value)) }

    /// Sets the field of this name.
    public mutating func add(_ header: HTTPHeader) { update(header) }

    /// Sets the field of this name.
    public mutating func update(name: String, value: String) { update(HTTPHeader(name: name, value: value)) }

    /// Sets the field of this name in the place of the first one, or at the end.
    public mutating func update(_ header: HTTPHeader) {
        guard let place = fields.firstIndex(where: { $0.hasName(header.name) }) else {
            fields.append(header)
            return
        }
        fields.removeAll { $0.hasName(header.name) }
        fields.insert(header, at: place)
    }

    /// Adds a field and keeps the earlier ones of this name.
    public mutating func append(name: String, value: String) { fields.append(HTTPHeader(name: name, value: value)) }

    /// Removes every field of this name.
    public mutating func remove(name: String) { fields.removeAll { $0.hasName(name) } }

    /// The values of the fields of this name, joined by commas (RFC 9110 §5.3); nil when there is none.
    public func value(for name: String) -> String? {
        let values = values(for: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The values of the fields of this name, in order.
    public func values(for name: String) -> [String] { fields.filter { $0.hasName(name) }.map(\.value) }

    /// The value of a name; setting nil removes it.
    public subscript(_ name: String) -> String? {
        get { value(for: name) }
        set { newValue.map { update(name: name, value: $0) } ?? remove(name: name) }
    }

    /// The fields as a dictionary; repeated ones are joined by commas, under the spelling that came first.
    public var dictionary: [String: String] {
        var spellings: [String: String] = [:]
        var result: [String: String] = [:]
        for field in fields {
            let name = field.name.lowercased()
            if let spelling = spellings[name] {
                result[spelling, default: ""] += ", \(field.value)"
            } else {
                spellings[name] = field.name
                result[field.name] = field.value
            }
        }
        return result
    }
}

extension HTTPHeader {
    fileprivate func hasName(_ other: String) -> Bool {
        name == other || (name.utf8.count == other.utf8.count && name.lowercased() == other.lowercased())
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// The given fields in their order; of those with one name the last is kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { HTTPHeader(name: $0.0, value: $0.1) })
    }

    /// The given fields in their order; of those with one name the last is kept.
    public init(arrayLiteral elements: HTTPHeader...) { self.init(elements) }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The place of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The place after the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a place.
    public subscript(position: Int) -> HTTPHeader { fields[position] }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// One field a line; the values of credentials are not shown.
    public var description: String { fields.map(\.description).joined(separator: "\n") }

    /// The fields, for `dump`; the values of credentials are not shown.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields, displayStyle: .collection) }
}
