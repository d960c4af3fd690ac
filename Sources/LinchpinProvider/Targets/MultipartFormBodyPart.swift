public import Foundation
public import LinchpinSession

/// One part of a form, as Moya describes it.
///
/// ```swift
/// let form: MultipartFormData = [
///     MultipartFormBodyPart(provider: .data(Data("Ada".utf8)), name: "user"),
///     MultipartFormBodyPart(provider: .file(picture), name: "picture"),
/// ]
/// ```
public struct MultipartFormBodyPart {
    /// Where a part's bytes are.
    public enum FormDataProvider {
        /// In memory.
        case data(Data)
        /// In a file, read as it is sent.
        case file(URL)
        /// In a stream that gives so many bytes. The form can then be sent once.
        case stream(InputStream, UInt64)
    }

    /// Where the bytes are.
    public let provider: FormDataProvider
    /// The field's name.
    public let name: String
    /// The name that the server is told.
    public let fileName: String?
    /// The part's Content-Type.
    public let mimeType: String?

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - provider: where the bytes are.
    ///   - name: the field's name.
    ///   - fileName: the name that the server is told; nil, the default, for none, and for a file's own.
    ///   - mimeType: the part's Content-Type; nil, the default, for none, for a file the one that its extension is known
    ///     for, and for a stream `application/octet-stream`.
    public init(provider: FormDataProvider, name: String, fileName: String? = nil, mimeType: String? = nil) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
    }
}

extension MultipartFormData: ExpressibleByArrayLiteral {
    /// Makes a form of parts.
    ///
    /// - Parameters:
    ///   - fileManager: as in ``init(fileManager:boundary:)``.
    ///   - boundary: as in ``init(fileManager:boundary:)``.
    ///   - parts: in the order in which they are sent. A file that cannot be read is an error when the form is sent.
    public convenience init(
        fileManager: FileManager = .default,
        boundary: String? = nil,
        parts: [MultipartFormBodyPart]
    ) {
        self.init(fileManager: fileManager, boundary: boundary)
        for part in parts { append(part) }
    }

    /// Makes a form of parts.
    @_disfavoredOverload
    public convenience init(arrayLiteral parts: MultipartFormBodyPart...) { self.init(parts: parts) }

    private func append(_ part: MultipartFormBodyPart) {
        switch part.provider {
        case .data(let data): append(data, withName: part.name, fileName: part.fileName, mimeType: part.mimeType)
        case .file(let file):
            if part.fileName == nil, part.mimeType == nil { return append(file, withName: part.name) }
            append(
                file,
                withName: part.name,
                fileName: part.fileName ?? file.lastPathComponent,
                mimeType: part.mimeType ?? "application/octet-stream"
            )
        case .stream(let stream, let length):
            append(
                stream,
                withLength: length,
                name: part.name,
                fileName: part.fileName ?? "",
                mimeType: part.mimeType ?? "application/octet-stream"
            )
        }
    }
}
