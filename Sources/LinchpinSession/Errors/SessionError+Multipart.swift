public import Foundation

extension SessionError {
    /// Why a multipart body could not be made.
    public enum MultipartEncodingFailureReason: Sendable {
        /// The URL of a part is not a file's.
        case bodyPartURLInvalid(url: URL)
        /// The URL of a part has no file name.
        case bodyPartFilenameInvalid(in: URL)
        /// There is no file for a part.
        case bodyPartFileNotReachable(at: URL)
        /// The file of a part may not be read.
        case bodyPartFileNotReachableWithError(atURL: URL, error: any Error)
        /// The file of a part is a directory.
        case bodyPartFileIsDirectory(at: URL)
        /// The file of a part has no size of its own: a pipe, a device, a socket.
        case bodyPartFileSizeNotAvailable(at: URL)
        /// The size of a part's file could not be asked for.
        case bodyPartFileSizeQueryFailedWithError(forURL: URL, error: any Error)
        /// The file of a part could not be opened when its turn came.
        case bodyPartInputStreamCreationFailed(for: URL)
        /// The file for the encoded body could not be made.
        case outputStreamCreationFailed(for: URL)
        /// The file for the encoded body is there already; it is not written over.
        case outputStreamFileAlreadyExists(at: URL)
        /// The URL for the encoded body is not a file's.
        case outputStreamURLInvalid(url: URL)
        /// Writing the encoded body failed.
        case outputStreamWriteFailed(error: any Error)
        /// Reading a part failed; an ``UnexpectedInputStreamLength`` where it had not the length that was announced.
        case inputStreamReadFailed(error: any Error)
    }

    /// A part had not the length that was announced for it: a stream of another length, or a file that shrank or grew.
    public struct UnexpectedInputStreamLength: Error, Sendable {
        /// The length that was announced.
        public let bytesExpected: UInt64
        /// What was found. For a part that is too long, how far reading went, or the file's length.
        public let bytesRead: UInt64
    }
}

extension SessionError.UnexpectedInputStreamLength: CustomStringConvertible, LocalizedError {
    /// Both lengths.
    public var description: String { "a part of \(bytesExpected) bytes was announced, and \(bytesRead) were found" }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension SessionError.MultipartEncodingFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .bodyPartFileNotReachableWithError(_, let error), .bodyPartFileSizeQueryFailedWithError(_, let error),
            .outputStreamWriteFailed(let error), .inputStreamReadFailed(let error):
            error
        default: nil
        }
    }

    var url: URL? {
        switch self {
        case .bodyPartURLInvalid(let url), .bodyPartFilenameInvalid(let url), .bodyPartFileNotReachable(let url),
            .bodyPartFileNotReachableWithError(let url, _), .bodyPartFileIsDirectory(let url),
            .bodyPartFileSizeNotAvailable(let url), .bodyPartFileSizeQueryFailedWithError(let url, _),
            .bodyPartInputStreamCreationFailed(let url), .outputStreamCreationFailed(let url),
            .outputStreamFileAlreadyExists(let url), .outputStreamURLInvalid(let url):
            url
        case .outputStreamWriteFailed, .inputStreamReadFailed: nil
        }
    }
}

extension SessionError.MultipartEncodingFailureReason: CustomStringConvertible {
    /// What failed, and the file. Of a URL that is no file's only the redacted form is shown.
    public var description: String {
        let place = url.map { $0.isFileURL ? $0.path : Redaction.url($0.absoluteString) } ?? ""
        return switch self {
        case .bodyPartURLInvalid: "\(place) is not the URL of a file"
        case .bodyPartFilenameInvalid: "\(place) has no file name"
        case .bodyPartFileNotReachable: "there is no file \(place)"
        case .bodyPartFileNotReachableWithError(_, let error): "\(place) cannot be read: \(error)"
        case .bodyPartFileIsDirectory: "\(place) is a directory"
        case .bodyPartFileSizeNotAvailable: "\(place) is no regular file"
        case .bodyPartFileSizeQueryFailedWithError(_, let error): "the size of \(place) is not to be had: \(error)"
        case .bodyPartInputStreamCreationFailed: "\(place) cannot be opened any more"
        case .outputStreamCreationFailed: "\(place) cannot be written"
        case .outputStreamFileAlreadyExists: "\(place) is there already"
        case .outputStreamURLInvalid: "\(place) is not the URL of a file"
        case .outputStreamWriteFailed(let error): "writing failed: \(error)"
        case .inputStreamReadFailed(let error): "reading a part failed: \(error)"
        }
    }
}
