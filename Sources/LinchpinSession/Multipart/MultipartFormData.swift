public import Foundation
internal import Synchronization

/// A form with files, as `multipart/form-data` (RFC 7578).
///
/// Parts are added in the order in which they are sent. Files are not read before they are sent, and then a piece at a
/// time, so a part of any size costs no memory. The first error that adding a part meets is kept; it is thrown when the
/// form is encoded or sent. Names and file names are UTF-8; a quotation mark, a CR and an LF in them are `%22`, `%0D` and
/// `%0A`, as browsers write them (WHATWG HTML §4.10.22.8).
///
/// Safe to use from any thread, its streams aside.
public final class MultipartFormData: Sendable {
    /// What stands between the parts. The default is a random token, which no part can be expected to have in it; one of
    /// the caller's own must not occur in any part, which is not checked.
    public let boundary: String
    /// Used for the file that ``writeEncodedData(to:)`` makes.
    private let files: FileAccess
    private let state = Mutex(State())

    private struct State {
        var parts: [MultipartPart] = []
        var failure: SessionError?
    }

    /// Makes an empty form.
    ///
    /// - Parameters:
    ///   - fileManager: looks for the file of ``writeEncodedData(to:)``, and removes it where that fails.
    ///   - boundary: one to 70 characters of RFC 2046 §5.1.1; a random one by default.
    public init(fileManager: FileManager = .default, boundary: String? = nil) {
        let boundary = boundary ?? "linchpin-\(UUID().uuidString)"
        precondition(boundary.isBoundary, "a boundary has 1 to 70 characters of RFC 2046 and no space at its end")
        self.boundary = boundary
        files = FileAccess(manager: fileManager)
    }

    /// What the request's Content-Type must be. A boundary that is no token is quoted.
    public var contentType: String {
        "multipart/form-data; boundary=" + (boundary.isToken ? boundary : "\"\(boundary)\"")
    }

    /// The length of the whole body in bytes, everything between the parts included. Alamofire counts the parts only,
    /// which is no Content-Length.
    public var contentLength: UInt64 {
        let pieces = state.withLock { MultipartPiece.all(of: $0.parts, boundary: boundary) }
        return pieces.reduce(0) { $0 + $1.length }
    }

    /// Adds a part of bytes.
    ///
    /// - Parameters:
    ///   - data: the part's body.
    ///   - name: the field's name.
    ///   - fileName: makes a file of it; nil, the default, for none.
    ///   - mimeType: the part's Content-Type; nil, the default, for none.
    public func append(_ data: Data, withName name: String, fileName: String? = nil, mimeType: String? = nil) {
        append(.bytes(data), MultipartPart.headers(name: name, fileName: fileName, mimeType: mimeType))
    }

    /// Adds a file under its own name, with the Content-Type that the name's extension is known for, else
    /// `application/octet-stream`. The types known are built in; the system's list is not read.
    ///
    /// - Parameters:
    ///   - fileURL: the file. It is looked at now and read when the form is sent; its length must not change between.
    ///   - name: the field's name.
    public func append(_ fileURL: URL, withName name: String) {
        let fileName = fileURL.lastPathComponent
        guard !fileURL.isFileURL || !["", "/"].contains(fileName) else {
            fail(.bodyPartFilenameInvalid(in: fileURL))
            return
        }
        let type = MIMEType.ofFile(extension: fileURL.pathExtension)
        append(fileURL, withName: name, fileName: fileName, mimeType: type)
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - fileURL: the file. It is looked at now and read when the form is sent; its length must not change between.
    ///   - name: the field's name.
    ///   - fileName: the name that the server is told.
    ///   - mimeType: the part's Content-Type.
    public func append(_ fileURL: URL, withName name: String, fileName: String, mimeType: String) {
        do throws(SessionError) {
            let file = try PartFile(fileURL)
            append(.file(file), MultipartPart.headers(name: name, fileName: fileName, mimeType: mimeType))
        } catch {
            fail(error)
        }
    }

    /// Adds what a stream gives. The stream is read once, when the form is sent; such a form cannot be sent a second
    /// time, not even after a redirect.
    ///
    /// - Parameters:
    ///   - stream: not opened yet; the caller no longer uses it. It should not wait for its bytes, since other transfers
    ///     of the session wait as long.
    ///   - length: how many bytes it gives, exactly.
    ///   - name: the field's name.
    ///   - fileName: the name that the server is told.
    ///   - mimeType: the part's Content-Type.
    public func append(
        _ stream: InputStream,
        withLength length: UInt64,
        name: String,
        fileName: String,
        mimeType: String
    ) {
        let headers = MultipartPart.headers(name: name, fileName: fileName, mimeType: mimeType)
        append(stream, withLength: length, headers: headers)
    }

    /// Adds what a stream gives, with fields of the caller's own.
    ///
    /// - Parameters:
    ///   - stream: as in ``append(_:withLength:name:fileName:mimeType:)``.
    ///   - length: how many bytes it gives, exactly.
    ///   - headers: the part's fields, written as they are; they must have a Content-Disposition.
    public func append(_ stream: InputStream, withLength length: UInt64, headers: HTTPHeaders) {
        append(.stream(PartStream(stream, length: length)), headers)
    }

    /// The whole body, in memory.
    ///
    /// - Throws: ``SessionError`` `.multipartEncodingFailed`, or `.urlRequestValidationFailed(.invalidHeader)` for a part
    ///   whose fields have a line break; the first error of all parts.
    public func encode() throws -> Data {
        let reader = try MultipartBodyReader(self)
        var data = Data()
        try reader.readAll { data.append(contentsOf: $0) }
        return data
    }

    /// Writes the whole body into a file, a piece at a time. The file must not be there; it is removed when writing fails.
    ///
    /// - Throws: as ``encode()`` does; ``SessionError`` `.multipartEncodingFailed` with `.outputStreamURLInvalid`,
    ///   `.outputStreamFileAlreadyExists`, `.outputStreamCreationFailed` or `.outputStreamWriteFailed`.
    public func writeEncodedData(to fileURL: URL) throws {
        let reader = try MultipartBodyReader(self)
        try files.write(to: fileURL) { write in try reader.readAll(write) }
    }

    /// Whether there is no part, and none that could not be added.
    package var isEmpty: Bool { state.withLock { $0.parts.isEmpty && $0.failure == nil } }

    /// Whether a part comes from a stream, which may have to be waited for.
    var hasStreams: Bool {
        state.withLock { state in
            state.parts.contains { if case .stream = $0.body { true } else { false } }
        }
    }

    /// The pieces of the body.
    ///
    /// - Throws: the first error that adding parts met.
    func pieces() throws(SessionError) -> [MultipartPiece] {
        let (parts, failure) = state.withLock { ($0.parts, $0.failure) }
        if let failure { throw failure }
        return MultipartPiece.all(of: parts, boundary: boundary)
    }

    private func append(_ body: MultipartPart.Body, _ headers: HTTPHeaders) {
        if let header = headers.first(where: { !$0.isSendable }) {
            fail(.urlRequestValidationFailed(reason: .invalidHeader(name: header.name)))
            return
        }
        let part = MultipartPart(headers: headers, body: body)
        let fits = state.withLock { state in
            // The whole must have a length that a Content-Length can have.
            let sum = state.parts.reduce(part.length) { $0.addingReportingOverflow($1.length).partialValue }
            let fits = part.length < Self.limit && sum < Self.limit
            if fits { state.parts.append(part) }
            return fits
        }
        guard !fits else { return }
        let error = SessionError.UnexpectedInputStreamLength(bytesExpected: part.length, bytesRead: 0)
        fail(.inputStreamReadFailed(error: error))
    }

    private static let limit = UInt64(Int64.max) / 2

    private func fail(_ reason: SessionError.MultipartEncodingFailureReason) {
        fail(.multipartEncodingFailed(reason: reason))
    }

    private func fail(_ error: SessionError) {
        state.withLock { state in if state.failure == nil { state.failure = error } }
    }
}

extension String {
    /// Whether RFC 2046 §5.1.1 lets this be a boundary.
    fileprivate var isBoundary: Bool {
        (1...70).contains(utf8.count) && last != " "
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "'()+_,-./:=? ".utf8.contains(byte)
                }
            }
    }
}
