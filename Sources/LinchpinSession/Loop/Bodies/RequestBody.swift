internal import Foundation

/// What a request sends. Every transfer reads it through a source of its own, from the start.
enum RequestBody: Sendable {
    case none
    case data(Data)
    case file(URL)
    case stream(StreamBody)

    /// Whether nothing is sent.
    var isNone: Bool { if case .none = self { true } else { false } }

    /// - Parameters:
    ///   - onReadable: called on any thread when a source that had nothing has something.
    func makeSource(onReadable: @escaping @Sendable () -> Void) throws(BodyError) -> (any BodySource)? {
        switch self {
        case .none: nil
        case .data(let data): DataSource(data)
        case .file(let url): try FileSource(url)
        case .stream(let stream): try stream.begin(onReadable: onReadable)
        }
    }
}
