import Foundation
import FoundationNetworking
import LinchpinSession
import Testing

/// A response without an exchange.
func response(
    _ status: Int = 200,
    contentType: String? = nil,
    fields: [String: String] = [:]
) throws -> HTTPURLResponse {
    var fields = fields
    fields["Content-Type"] = contentType
    let url = try #require(URL(string: "http://h/"))
    return try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
}

extension Data {
    /// The bytes of hexadecimal digits.
    init(hex: String) {
        let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
