internal import Foundation
internal import FoundationNetworking

/// A request with a body of its own kind: data, a file, a stream or a multipart form. The response is kept in memory.
public final class UploadRequest: DataRequest, @unchecked Sendable {
    private let uploadable: Uploadable

    init(
        _ convertible: any URLRequestConvertible,
        uploadable: Uploadable,
        options: RequestOptions,
        session: Session
    ) {
        self.uploadable = uploadable
        super.init(convertible, options: options, session: session)
    }

    override var usesCache: Bool { false }

    override func makeBody(of request: URLRequest) throws -> RequestBody {
        switch uploadable {
        case .data(let data): data.isEmpty ? .none : .data(data)
        case .file(let url): .file(try url.uploadable())
        case .stream(let stream): .stream(stream)
        case .form(let form): .multipart(try form.sendable())
        }
    }
}

/// What an upload sends.
enum Uploadable: Sendable {
    case data(Data)
    case file(URL)
    case stream(StreamBody)
    case form(MultipartFormData)
}

extension MultipartFormData {
    /// The form itself, unless adding a part to it has failed.
    fileprivate func sendable() throws(SessionError) -> MultipartFormData {
        _ = try pieces()
        return self
    }
}

extension URL {
    /// The URL itself, of a file that can be read.
    ///
    /// - Throws: ``SessionError`` `.createUploadableFailed`.
    fileprivate func uploadable() throws(SessionError) -> URL {
        do {
            guard try resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                throw CocoaError(.fileReadUnsupportedScheme)
            }
            guard FileManager.default.isReadableFile(atPath: path) else { throw CocoaError(.fileReadNoPermission) }
        } catch {
            throw .createUploadableFailed(error: error)
        }
        return self
    }
}
