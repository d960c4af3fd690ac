internal import Foundation
internal import FoundationNetworking

/// What a download that failed has left, as it travels in resume data.
struct PartialDownload: Codable, Sendable {
    let url: URL
    /// The file with the first bytes.
    let path: String
    /// How many of them there are.
    let byteCount: Int64
    /// A strong entity tag or a date (RFC 9110 §13.1.5): only the same representation is continued.
    let validator: String

    var resumeData: Data? { try? JSONEncoder().encode(self) }

    /// - Throws: ``SessionError`` `.createURLRequestFailed` when the data is no resume data, or its file is gone.
    init(resumeData: Data) throws(SessionError) {
        do {
            self = try JSONDecoder().decode(PartialDownload.self, from: resumeData)
        } catch {
            throw .createURLRequestFailed(error: error)
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64 ?? -1
        guard byteCount > 0, size >= byteCount else {
            throw .createURLRequestFailed(error: CocoaError(.fileReadNoSuchFile))
        }
    }

    init(url: URL, path: String, byteCount: Int64, validator: String) {
        self.url = url
        self.path = path
        self.byteCount = byteCount
        self.validator = validator
    }

    /// As much of it as a request builds on: another attempt asks for what the first one asked for, though there may be
    /// more by now.
    func asked(by request: URLRequest?) -> PartialDownload {
        guard let range = request?.value(forHTTPHeaderField: "Range"), range.hasPrefix("bytes="), range.hasSuffix("-"),
            let start = Int64(range.dropFirst("bytes=".count).dropLast()), (1...byteCount).contains(start)
        else { return self }
        return PartialDownload(url: url, path: path, byteCount: start, validator: validator)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
