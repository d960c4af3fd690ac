internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust
internal import Synchronization

/// Fetches what evaluators need to know about revocation (RFC 6960, RFC 5280 §5), off the session's loops.
///
/// It has a session of its own, without evaluators, cookies and credentials: what comes is signed, and is judged by who
/// has signed it.
final class RevocationFetcher: Sendable {
    private struct Guarded {
        /// Made for the first fetch.
        var session: Session?
        /// Who waits for what is being fetched about a certificate. The questions themselves differ by their nonces.
        var waiting: [Certificate: [@Sendable () -> Void]] = [:]
    }

    private let guarded = Mutex(Guarded())
    /// As long as the longest list may be.
    private static let mostBytes = 32 << 20
    private let configuration: SessionConfiguration
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - configuration: the session's, of which the ways to the network are used.
    ///   - queue: where answers are verified.
    init(_ configuration: SessionConfiguration, queue: DispatchQueue) {
        var own = SessionConfiguration()
        own.proxies = configuration.proxies
        own.resolution = configuration.resolution
        own.networkInterface = configuration.networkInterface
        own.now = configuration.now
        own.cookies = .none
        own.maximumRedirects = 3
        own.responseLimits.bodyBytes = Self.mostBytes
        own.timeouts = Timeouts(connect: 5, idle: 5, request: 10)
        self.configuration = own
        self.queue = queue
    }

    /// Fetches what is demanded, for each certificate once at a time, and calls back when an answer was taken or there is none.
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
            guarded.waiting[demand.certificate, default: []].append(whenDone)
            return guarded.waiting[demand.certificate]?.count == 1
        }
        guard isFirst else { return }
        fetch(demand, from: demand.sources[...])
    }

    private func fetch(_ demand: RevocationDemand, from sources: ArraySlice<RevocationDemand.Source>) {
        guard let source = sources.first, let request = source.request else {
            if sources.count > 1 { return fetch(demand, from: sources.dropFirst()) }
            demand.giveUp(at: configuration.now())
            return ended(demand)
        }
        session.request(request).response(queue: queue) { [self] response in
            guard response.response?.statusCode == 200, let data = response.data, data.count <= source.mostBytes,
                (try? demand.supply(data, from: source, at: configuration.now())) != nil
            else { return fetch(demand, from: sources.dropFirst()) }
            ended(demand)
        }
    }

    private func ended(_ demand: RevocationDemand) {
        let waiting = guarded.withLock { $0.waiting.removeValue(forKey: demand.certificate) } ?? []
        for whenDone in waiting { whenDone() }
    }

    private var session: Session {
        guarded.withLock { guarded in
            if let session = guarded.session { return session }
            let session = Session(configuration: configuration)
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
