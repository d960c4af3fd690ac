internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust
internal import Synchronization

/// Fetches what evaluators need to know about revocation (RFC 6960, RFC 5280 §5), off the session's loops.
///
/// It has a session of its own, without cookies and credentials: what comes is signed, and is judged by who has signed
/// it. Only HTTPS proxies are judged by the table.
final class RevocationFetcher: Sendable {
    private struct Guarded {
        /// Made for the first fetch.
        var session: Session?
        var hasEnded = false
        /// Who waits for what is being fetched. The questions themselves differ by their nonces.
        var waiting: [RevocationDemand.Purpose: [@Sendable () -> Void]] = [:]
    }

    private let guarded = Mutex(Guarded())
    /// As long as the longest list may be.
    private static let mostBytes = 32 << 20
    private let configuration: SessionConfiguration
    private let manager: ServerTrustManager?
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - configuration: the session's, of which the ways to the network are used.
    ///   - manager: the session's, which judges proxies.
    ///   - queue: where answers are verified.
    init(_ configuration: SessionConfiguration, _ manager: ServerTrustManager?, queue: DispatchQueue) {
        var own = SessionConfiguration()
        own.proxies = configuration.proxies
        own.resolution = configuration.resolution
        own.networkInterface = configuration.networkInterface
        // A proxy is spoken to as by the session, and shown what it is.
        own.tlsSettings = configuration.tlsSettings
        own.hostTLSSettings = configuration.hostTLSSettings
        own.clientIdentities = configuration.clientIdentities
        own.now = configuration.now
        own.cookies = .none
        own.judgesProxiesOnly = true
        own.maximumRedirects = 3
        own.responseLimits.bodyBytes = Self.mostBytes
        own.timeouts = configuration.revocationTimeouts
        self.configuration = own
        self.manager = configuration.proxies == .none ? nil : manager
        self.queue = queue
    }

    /// Fetches what is demanded, for each purpose once at a time, and calls back when an answer was taken or there
    /// is none.
    func fetch(_ demands: [RevocationDemand], whenDone: @escaping @Sendable () -> Void) {
        let group = DispatchGroup()
        for demand in demands {
            group.enter()
            fetch(demand) { group.leave() }
        }
        group.notify(queue: queue) { whenDone() }
    }

    private func fetch(_ demand: RevocationDemand, _ whenDone: @escaping @Sendable () -> Void) {
        let isFirst = guarded.withLock { guarded in
            guarded.waiting[demand.purpose, default: []].append(whenDone)
            return guarded.waiting[demand.purpose]?.count == 1
        }
        guard isFirst else { return }
        if demand.isSettled(at: configuration.now()) { return ended(demand) }
        fetch(demand, from: demand.sources[...])
    }

    private func fetch(_ demand: RevocationDemand, from sources: ArraySlice<RevocationDemand.Source>) {
        guard let source = sources.first, let request = source.request else {
            if sources.count > 1 { return fetch(demand, from: sources.dropFirst()) }
            demand.giveUp(at: configuration.now())
            return ended(demand)
        }
        // A session that ends has learned nothing, which its evaluator is not told.
        guard let session else { return ended(demand) }
        session.request(request).response(queue: queue) { [self] response in
            guard !guarded.withLock({ $0.hasEnded }) else { return ended(demand) }
            guard response.response?.statusCode == 200, let data = response.data, data.count <= source.mostBytes,
                (try? demand.supply(data, from: source, at: configuration.now())) != nil
            else { return fetch(demand, from: sources.dropFirst()) }
            ended(demand)
        }
    }

    private func ended(_ demand: RevocationDemand) {
        let waiting = guarded.withLock { $0.waiting.removeValue(forKey: demand.purpose) } ?? []
        for whenDone in waiting { whenDone() }
    }

    /// Ends what is being fetched; nothing is fetched any more.
    ///
    /// - Returns: the session that did, whose threads end.
    @discardableResult
    func stop() -> Session? {
        let session = guarded.withLock { guarded in
            guarded.hasEnded = true
            return guarded.session
        }
        session?.core.stop(with: .sessionInvalidated(error: nil))
        return session
    }

    /// Nil once this has ended.
    private var session: Session? {
        guarded.withLock { guarded in
            if guarded.hasEnded { return nil }
            if let session = guarded.session { return session }
            let session = Session(configuration: configuration, serverTrustManager: manager)
            guarded.session = session
            return session
        }
    }
}

extension RevocationDemand.Source {
    /// How it is asked for; nil for a URL that is none.
    fileprivate var request: URLRequest? {
        guard let url = URL(string: url), ["http", "https"].contains(url.scheme?.lowercased()) else { return nil }
        var result = URLRequest(url: url)
        if case .ocsp(_, let body) = self {
            result.httpMethod = "POST"
            result.httpBody = body
            result.setValue("application/ocsp-request", forHTTPHeaderField: "Content-Type")
            result.setValue("application/ocsp-response", forHTTPHeaderField: "Accept")
        }
        return result
    }
}
