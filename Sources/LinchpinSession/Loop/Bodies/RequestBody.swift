internal import Foundation

/// What a request sends. Every transfer reads it through a source of its own, from the start.
enum RequestBody: Sendable {
    case none
    case data(Data)
    case file(URL)
    case stream(StreamBody)
    case multipart(MultipartFormData)

    /// Whether nothing is sent.
    var isNone: Bool { if case .none = self { true } else { false } }

    /// - Parameters:
    ///   - onReadable: called on any thread when a source that had nothing has something.
    func makeSource(onReadable: @escaping @Sendable () -> Void) throws(BodyError) -> (any BodySource)? {
        switch self {
        case .none: return nil
        case .data(let data): return DataSource(data)
        case .file(let url): return try FileSource(url)
        case .stream(let stream): return try stream.begin(onReadable: onReadable)
        case .multipart(let form):
            guard form.hasStreams else { return try MultipartSource(form) }
            let reader = try MultipartSource.reader(of: form)
            let length = reader.contentLength
            return PumpedSource(BlockingMultipartReader(reader), length: length, onReadable: onReadable)
        }
    }
}
