internal import Glibc

/// A response's fields as libcurl read them, copied from it and not yet looked at.
struct RawFields: Sendable {
    /// Names and values in turns, each with the NUL that libcurl ends it with, and so none of its own.
    private var bytes: [UInt8] = []

    /// Adds a field.
    mutating func append(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) {
        if bytes.isEmpty { bytes.reserveCapacity(512) }
        append(name)
        append(value)
    }

    private mutating func append(_ text: UnsafePointer<CChar>) {
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: text, count: strlen(text) + 1))
    }

    /// The fields.
    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while let name = Self.text(&rest), let value = Self.text(&rest) { headers.append(name: name, value: value) }
        }
        return headers
    }

    private static func text(_ rest: inout Slice<UnsafeRawBufferPointer>) -> String? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return String(latin1OrUTF8: rest[..<end])
    }
}

extension String {
    /// A field's value: UTF-8 where it is that, else ISO 8859-1 (obs-text, RFC 9110 §5.5).
    fileprivate init(latin1OrUTF8 bytes: Slice<UnsafeRawBufferPointer>) {
        self =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }
}
