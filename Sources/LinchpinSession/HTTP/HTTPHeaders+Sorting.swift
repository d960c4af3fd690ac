extension HTTPHeaders {
    /// Puts the fields in the order of their names, without regard to case; fields of one name keep theirs.
    public mutating func sort() { self = sorted() }

    /// The fields in the order of their names, without regard to case; fields of one name keep theirs.
    public func sorted() -> HTTPHeaders {
        let order = enumerated().sorted {
            ($0.element.name.lowercased(), $0.offset) < ($1.element.name.lowercased(), $1.offset)
        }
        return order.reduce(into: HTTPHeaders()) { $0.append(name: $1.element.name, value: $1.element.value) }
    }
}
