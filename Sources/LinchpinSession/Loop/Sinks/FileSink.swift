internal import Foundation
internal import FoundationNetworking
internal import Glibc

/// Writes the body to a file.
final class FileSink: BodySink {
    private let earlier: PartialDownload?
    private var file: DownloadFile?
    private var head: ResponseHead?
    private let onHead: (@Sendable (ResponseHead) -> Void)?

    /// - Parameters:
    ///   - earlier: what an earlier download left, for which the request asks for the rest.
    init(continuing earlier: PartialDownload?, onHead: (@Sendable (ResponseHead) -> Void)?) {
        self.earlier = earlier
        self.onHead = onHead
    }

    func begin(_ head: () -> ResponseHead?) throws(SessionError) {
        guard let head = head() else { return }
        self.head = head
        onHead?(head)
        guard let earlier, head.statusCode == 206 || head.statusCode == 200 else {
            file = try DownloadFile()
            return
        }
        // The whole representation again, since it has changed or the server knows no ranges.
        let offset = head.statusCode == 206 ? earlier.byteCount : 0
        if offset > 0 {
            guard head.headers.value(for: "Content-Range")?.lowercased().hasPrefix("bytes \(offset)-") == true else {
                throw .sessionTaskFailed(
                    error: TransportError(
                        code: .badServerResponse,
                        curlCode: nil,
                        message: "the server answered with another range than the one from byte \(offset)"
                    )
                )
            }
        }
        file = try DownloadFile(path: earlier.path, continuingAt: offset)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(SessionError) -> Bool {
        try file?.append(bytes)
        return true
    }

    func receive(all body: Data) throws(SessionError) {
        let result = body.withUnsafeBytes { bytes in
            Result { () throws(SessionError) in try file?.append(bytes) }
        }
        try result.get()
    }

    func end(_ outcome: inout ExchangeOutcome) {
        guard outcome.error != nil else {
            outcome.fileURL = file.map { URL(filePath: $0.path) }
            return
        }
        if let file {
            outcome.partialDownload = partial(file, of: outcome.request)
            if outcome.partialDownload == nil { file.remove() }
        } else {
            outcome.partialDownload = earlier
        }
    }

    /// What can be resumed later (RFC 9110 §13.1.5, §14.2); nil where the rest cannot be asked for safely.
    private func partial(_ file: DownloadFile, of request: URLRequest?) -> PartialDownload? {
        guard let head, let url = request?.url, request?.httpMethod ?? "GET" == "GET",
            [200, 206].contains(head.statusCode), file.size > 0,
            head.headers.value(for: "Content-Encoding") == nil,
            head.headers.value(for: "Accept-Ranges")?.lowercased() != "none"
        else { return nil }
        let etag = head.headers.value(for: "ETag").flatMap { $0.hasPrefix("\"") ? $0 : nil }
        guard let validator = etag ?? head.headers.value(for: "Last-Modified") else { return nil }
        return PartialDownload(url: url, path: file.path, byteCount: file.size, validator: validator)
    }
}
