internal import Foundation

/// One part of a form.
struct MultipartPart: Sendable {
    /// Where its bytes are.
    enum Body: Sendable {
        case bytes(Data)
        case file(PartFile)
        case stream(PartStream)
    }

    let headers: HTTPHeaders
    let body: Body

    /// The length of the part's own bytes.
    var length: UInt64 {
        switch body {
        case .bytes(let data): UInt64(data.count)
        case .file(let file): file.length
        case .stream(let stream): stream.length
        }
    }

    static func headers(name: String, fileName: String?, mimeType: String?) -> HTTPHeaders {
        var disposition = "form-data; name=\"\(escaped(name))\""
        if let fileName { disposition += "; filename=\"\(escaped(fileName))\"" }
        var headers: HTTPHeaders = [.contentDisposition(disposition)]
        if let mimeType { headers.add(.contentType(mimeType)) }
        return headers
    }

    /// What would end the quoted text or the line is escaped, everything else is sent as it is (WHATWG HTML §4.10.22.8).
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// A run of a body's bytes that come from one place.
struct MultipartPiece: Sendable {
    let body: MultipartPart.Body
    let length: UInt64

    private init(_ part: MultipartPart) {
        body = part.body
        length = part.length
    }

    private init(_ text: String) {
        body = .bytes(Data(text.utf8))
        length = UInt64(text.utf8.count)
    }

    /// The parts and what stands between them (RFC 2046 §5.1.1). A form of no parts is the closing line alone.
    static func all(of parts: [MultipartPart], boundary: String) -> [MultipartPiece] {
        var pieces: [MultipartPiece] = []
        for part in parts {
            let fields = part.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
            pieces.append(MultipartPiece("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)\r\n\(fields)\r\n"))
            pieces.append(MultipartPiece(part))
        }
        pieces.append(MultipartPiece("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)--\r\n"))
        return pieces
    }
}
