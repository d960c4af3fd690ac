public import Foundation
internal import Synchronization

/// Keeps responses of a session's data requests, as RFC 9111 lets a private cache do.
///
/// A response is used again while it is fresh, and validated with the server when it is not. One entry is kept for each
/// URL; where there is no room, those go that were not used for the longest time. Requests that give a name and a
/// password in their URL or to ``Request/authenticate(username:password:)`` have nothing to do with it.
///
/// - A response was let in under a state of the session's ``ServerTrustManager``. From the moment that its table is
///   replaced it is not used again.
/// - On disk are only responses of sessions without a ``ServerTrustManager``, overridden addresses and a Unix socket, and
///   only those that are no one's in particular: to requests without a client's certificate and fields that may be
///   credentials, and neither `private` nor with a `Set-Cookie`;
///   where the request may carry cookies they have to be `public`. All others are kept in memory, for the session that
///   received them.
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.cache = ResponseCache(memoryCapacity: 16_000_000)
/// ```
public final class ResponseCache: Sendable {
    private struct Entry {
        let response: StoredResponse
        let body: Data
        var lastUse: Int
        var cost: Int { body.count + 1_024 }
    }

    private struct Memory {
        var entries: [String: Entry] = [:]
        var size = 0
        var uses = 0
    }

    private let memory = Mutex(Memory())
    private let memoryCapacity: Int
    private let disk: DiskCache?

    /// Makes a cache.
    ///
    /// - Parameters:
    ///   - memoryCapacity: how many bytes are kept in memory, 8 MB by default.
    ///   - directory: where responses are kept beyond the process's end; made with access for its owner only. Nil, the
    ///     default, keeps none. It must be used by one cache at a time, and for nothing else.
    ///   - diskCapacity: how many bytes are kept there, 64 MB by default.
    public init(memoryCapacity: Int = 8_000_000, directory: URL? = nil, diskCapacity: Int = 64_000_000) {
        self.memoryCapacity = memoryCapacity
        disk = directory.map { DiskCache($0, capacity: diskCapacity) }
    }

    /// Forgets every response.
    public func removeAll() {
        memory.withLock { $0 = Memory() }
        disk?.removeAll()
    }

    /// What may be used for the request, fresh or not.
    func response(to request: CacheableRequest) -> (StoredResponse, Data)? {
        let kept = memory.withLock { memory -> (StoredResponse, Data)? in
            guard let entry = memory.entries[request.key] else { return nil }
            memory.uses += 1
            memory.entries[request.key]?.lastUse = memory.uses
            return (entry.response, entry.body)
        }
        if let kept, kept.0.answers(request) { return kept }
        guard let read = disk?.response(for: request.key), read.0.answers(request) else { return nil }
        keepInMemory(read.0, read.1)
        return read
    }

    func store(_ response: StoredResponse, _ body: Data) {
        keepInMemory(response, body)
        if response.staysInMemory || response.session != nil {
            disk?.remove(response.url)
        } else {
            disk?.store(response, body)
        }
    }

    /// What is kept for a URL is no longer true (RFC 9111 §4.4).
    func remove(_ url: String) {
        memory.withLock { memory in
            if let entry = memory.entries.removeValue(forKey: url) { memory.size -= entry.cost }
        }
        disk?.remove(url)
    }

    private func keepInMemory(_ response: StoredResponse, _ body: Data) {
        memory.withLock { memory in
            if let old = memory.entries.removeValue(forKey: response.url) { memory.size -= old.cost }
            memory.uses += 1
            let entry = Entry(response: response, body: body, lastUse: memory.uses)
            guard entry.cost <= memoryCapacity else { return }
            memory.entries[response.url] = entry
            memory.size += entry.cost
            while memory.size > memoryCapacity,
                let oldest = memory.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                memory.entries[oldest.key] = nil
                memory.size -= oldest.value.cost
            }
        }
    }
}
