import Foundation

/// What httpbin says of a request that it got.
struct Echo: Decodable {
    let method: String?
    let url: String?
    let args: [String: Values]?
    let headers: [String: String]
    let form: [String: Values]?
    let files: [String: Values]?
    /// A body that is no form; binary ones as a `data:` URL.
    let data: String?
    let json: [String: Values]?

    /// The values of a name; most names have one.
    struct Values: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
        let values: [String]

        init(stringLiteral value: String) { values = [value] }
        init(arrayLiteral elements: String...) { values = elements }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(String.self) {
                values = [value]
            } else {
                values = try container.decode([String].self)
            }
        }
    }
}
