internal import CLibcurl
internal import Glibc

/// A response's fields as libcurl read them, copied from it and not yet looked at.
struct RawFields: Sendable {
    /// Names and values in turns, each with the NUL that libcurl ends it with, and so none of its own.
    private let bytes: [UInt8]

    /// How much of them is put together without a look at how much there is.
    private static let usualSize = 1_000

    /// The fields of the last response on a handle.
    init(of easy: EasyHandle) {
        bytes = withUnsafeTemporaryAllocation(byteCount: Self.usualSize, alignment: 1) { buffer in
            var count = 0
            var more: [UInt8] = []
            func append(_ text: UnsafePointer<CChar>) {
                let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text) + 1)
                if more.isEmpty, count + bytes.count <= buffer.count {
                    UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
                    count += bytes.count
                } else {
                    if more.isEmpty { more += buffer[..<count] }
                    more += bytes
                }
            }
            var previous: UnsafeMutablePointer<curl_header>?
            while let header = curl_easy_nextheader(easy.pointer, UInt32(CURLH_HEADER), -1, previous) {
                append(header.pointee.name)
                append(header.pointee.value)
                previous = header
            }
            return more.isEmpty ? Array(buffer[..<count]) : more
        }
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
