internal import Foundation
internal import Synchronization

/// Responses in files, one each: a line of JSON, and the body. What cannot be read or written is not there.
final class DiskCache: Sendable {
    private struct Entry {
        let file: URL
        let size: Int
        var lastUse: Date
    }

    private struct Index {
        /// By URL; nil before the directory was read.
        var entries: [String: Entry]?
    }

    private let index = Mutex(Index())
    private let directory: URL
    private let capacity: Int
    private static let suffix = "response"

    init(_ directory: URL, capacity: Int) {
        self.directory = directory
        self.capacity = capacity
    }

    func response(for url: String) -> (StoredResponse, Data)? {
        index.withLock { index in
            load(&index)
            guard let entry = index.entries?[url] else { return nil }
            guard let read = Self.read(entry.file), read.0.url == url else {
                drop(url, &index)
                return nil
            }
            let now = Date()
            index.entries?[url]?.lastUse = now
            // Told to the next process.
            try? FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: entry.file.path)
            return read
        }
    }

    func store(_ response: StoredResponse, _ body: Data) {
        guard var bytes = try? JSONEncoder().encode(response) else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(body)
        index.withLock { index in
            load(&index)
            drop(response.url, &index)
            guard bytes.count <= capacity else { return }
            let file = directory.appending(path: "\(UUID().uuidString).\(Self.suffix)")
            guard
                FileManager.default.createFile(
                    atPath: file.path,
                    contents: bytes,
                    attributes: [.posixPermissions: 0o600]
                )
            else { return }
            index.entries?[response.url] = Entry(file: file, size: bytes.count, lastUse: Date())
            makeRoom(&index)
        }
    }

    func remove(_ url: String) {
        index.withLock { index in
            load(&index)
            drop(url, &index)
        }
    }

    func removeAll() {
        index.withLock { index in
            load(&index)
            for url in (index.entries ?? [:]).keys { drop(url, &index) }
        }
    }

    private func makeRoom(_ index: inout Index) {
        var size = (index.entries ?? [:]).values.reduce(0) { $0 + $1.size }
        while size > capacity, let oldest = index.entries?.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            size -= oldest.value.size
            drop(oldest.key, &index)
        }
    }

    private func drop(_ url: String, _ index: inout Index) {
        guard let entry = index.entries?.removeValue(forKey: url) else { return }
        try? FileManager.default.removeItem(at: entry.file)
    }

    /// Reads the directory, the first time.
    private func load(_ index: inout Index) {
        guard index.entries == nil else { return }
        index.entries = [:]
        try? FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let files = try? FileManager.default.contentsOfDirectory(
            at: directory,
            includingPropertiesForKeys: [.contentModificationDateKey, .fileSizeKey]
        )
        for file in files ?? [] where file.pathExtension == Self.suffix {
            let values = try? file.resourceValues(forKeys: [.contentModificationDateKey, .fileSizeKey])
            guard let (response, _) = Self.read(file), let size = values?.fileSize,
                let lastUse = values?.contentModificationDate
            else {
                try? FileManager.default.removeItem(at: file)
                continue
            }
            drop(response.url, &index)
            index.entries?[response.url] = Entry(file: file, size: size, lastUse: lastUse)
        }
        makeRoom(&index)
    }

    private static func read(_ file: URL) -> (StoredResponse, Data)? {
        guard let bytes = try? Data(contentsOf: file), let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let response = try? JSONDecoder().decode(StoredResponse.self, from: bytes[..<end])
        else { return nil }
        return (response, Data(bytes[bytes.index(after: end)...]))
    }
}
