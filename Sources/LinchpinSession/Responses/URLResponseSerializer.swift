public import Foundation
public import FoundationNetworking

/// Gives the file that a download left.
public struct URLResponseSerializer: DownloadResponseSerializerProtocol {
    /// Makes a serializer.
    public init() {}

    /// The file.
    ///
    /// - Throws: the given error; ``SessionError`` `.responseSerializationFailed(.inputFileNil)`.
    public func serializeDownload(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: (any Error)?
    ) throws -> URL {
        if let error { throw error }
        guard let fileURL else { throw SessionError.responseSerializationFailed(reason: .inputFileNil) }
        return fileURL
    }
}

extension DownloadResponseSerializerProtocol where Self == URLResponseSerializer {
    /// Gives the file that a download left.
    public static var url: URLResponseSerializer { URLResponseSerializer() }
}
