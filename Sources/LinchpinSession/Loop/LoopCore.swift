internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust

/// Everything that touches libcurl: exchanges, their hops and the pools of connections, on one thread.
///
/// What is used with every request is not checked for overlapping accesses at run time, here and in what belongs to the
/// loop: no function that changes it calls what could come back to it.
final class LoopCore {
    let configuration: SessionConfiguration
    let manager: ServerTrustManager?
    let poller: Poller
    let clock = LoopClock()
    /// Whether the number of connections to a host is limited, so that a hop may have to wait for one.
    let waitsForTurn: Bool
    /// Whether the session's fields are none that the request itself has to show.
    let fieldsCanWait: Bool
    @exclusivity(unchecked) var recentURLs = RecentURLs()
    @exclusivity(unchecked) var exchanges: [ObjectIdentifier: Exchange] = [:]
    @exclusivity(unchecked) var deadlines = DeadlineHeap<Exchange>()
    /// The pool that new hops use.
    var current: ConnectionPool?
    /// Pools of earlier states of the table, and of connections whose certificates have expired: they live until
    /// their last transfer has ended.
    var retired: [ConnectionPool] = []
    var pools = 0 as UInt32

    private static let mostBusyTurns = 8

    init(configuration: SessionConfiguration, manager: ServerTrustManager?, poller: Poller) {
        self.configuration = configuration
        self.manager = manager
        self.poller = poller
        waitsForTurn = configuration.limitsConnections
        fieldsCanWait = configuration.headers.allSatisfy { header in
            header.isSendable && Exchange.fieldsThatWait.contains(header.name.lowercased())
        }
    }

    /// Runs until the loop is told to end.
    func run(_ loop: EventLoop) {
        loop.awoke()
        // How often commands came while others were obeyed: sockets get their turn all the same.
        var busyTurns = 0
        while true {
            let (commands, end) = loop.take()
            if let end {
                for command in commands { obey(command) }
                return shutDown(with: end)
            }
            if !commands.isEmpty {
                for command in commands { obey(command) }
                clock.advance()
                // libcurl begins new transfers on its timer, which is due at once: sooner than by way of the kernel.
                servePools()
            }
            closeEmptyPools()
            let waits = loop.mayWait()
            busyTurns = waits ? 0 : busyTurns + 1
            if !waits, busyTurns % Self.mostBusyTurns != 0 { continue }
            let events = poller.wait(until: waits ? nextDeadline : 0)
            if waits { loop.awoke() }
            clock.advance()
            for event in events { handle(event) }
            servePools()
            expireExchanges()
            retireExpiredPool()
        }
    }

    var allPools: [ConnectionPool] { (current.map { [$0] } ?? []) + retired }

    func servePools() {
        if let current { serve(current) }
        guard !retired.isEmpty else { return }
        for pool in retired { serve(pool) }
    }

    func serve(_ pool: ConnectionPool) {
        pool.actOnTimer()
        while let (hop, code) = pool.nextDone() { hopEnded(hop, code) }
    }

    func obey(_ command: EventLoop.Command) {
        switch command {
        case .start(let order): start(order)
        case .cancel(let owner): cancel(owner)
        case .wake(let owner): wake(owner)
        case .learned(let owner, let number): learned(owner, number)
        case .redirectDecided(let owner, let number, let request): redirectDecided(owner, number, request)
        case .policyReplaced(.finish): retireCurrentPool()
        case .policyReplaced(.cancel):
            retireCurrentPool()
            let error = TrustError(.policyChanged, reason: "the table of evaluators was replaced")
            for exchange in exchanges.values { finish(exchange, .serverTrustEvaluationFailed(reason: error)) }
        }
    }

    func handle(_ event: Poller.Event) {
        guard case .socket(let socket, let tag, let isReadable, let isWritable, let isBroken) = event else { return }
        let pool = current?.number == tag ? current : retired.first { $0.number == tag }
        pool?.act(on: socket, isReadable: isReadable, isWritable: isWritable, isBroken: isBroken)
    }

    func shutDown(with error: SessionError) {
        for exchange in exchanges.values { finish(exchange, error) }
        for pool in allPools { pool.close() }
        current = nil
        retired = []
    }
}

// MARK: - Exchanges

extension LoopCore {
    func start(_ order: ExchangeOrder) {
        // Cancelled on the way here: that has been told already.
        guard order.owner.isWanted else { return }
        let exchange = Exchange(order, in: self)
        if !fieldsCanWait { exchange.addSessionFields() }
        exchanges[ObjectIdentifier(order.owner)] = exchange
        do {
            exchange.sink = try order.owner.makeSink()
            try exchange.request.validateForSending(exchange.body)
        } catch {
            return finish(exchange, error)
        }
        beginHopUnlessSuspended(exchange, .pooled)
    }

    func cancel(_ owner: Request) {
        var outcome = ExchangeOutcome(error: .explicitlyCancelled)
        if let exchange = exchanges[ObjectIdentifier(owner)] {
            outcome.request = exchange.request
            exchange.sink?.end(&outcome)
            drop(exchange)
        }
        owner.exchangeCancelled(outcome)
    }

    func wake(_ owner: Request) {
        guard let exchange = exchanges[ObjectIdentifier(owner)] else { return }
        let isSuspended = owner.state == .suspended
        if let hop = exchange.hop {
            hop.updatePause(isSuspended: isSuspended)
            if let failure = hop.failure {
                // libcurl does not end a transfer for what went wrong in there.
                let head = hop.responseHead()
                return finish(exchange, ExchangeOutcome(request: exchange.request, head: head, error: failure))
            }
            deadlines.schedule(exchange, at: exchange.nextDeadline)
        } else if !isSuspended, exchange.pendingRedirect == nil, !exchange.isLearning {
            beginHop(exchange, .pooled)
        }
    }

    /// A suspended one begins when it is resumed.
    func beginHopUnlessSuspended(_ exchange: Exchange, _ connection: Hop.Connection) {
        if exchange.owner.state == .suspended {
            deadlines.schedule(exchange, at: exchange.nextDeadline)
        } else {
            beginHop(exchange, connection)
        }
    }

    func beginHop(_ exchange: Exchange, _ connection: Hop.Connection) {
        do {
            guard let target = exchange.request.url else {
                throw SessionError.urlRequestValidationFailed(reason: .unsupportedURL("", why: "there is none"))
            }
            let url = try recentURLs.parsed(target)
            exchange.keepCredential(for: url)
            let hop = try Hop(
                exchange: exchange,
                route: route(to: url),
                url: url,
                target: target,
                connection: connection
            )
            exchange.hop = hop
            try hop.pool.add(hop)
            deadlines.schedule(exchange, at: exchange.nextDeadline)
        } catch {
            finish(exchange, error as? SessionError ?? .sessionTaskFailed(error: error))
        }
    }

    /// The way to the URL's host: the one that was found last, as long as nobody would judge otherwise now.
    func route(to url: ParsedURL) throws(SessionError) -> Route {
        // The wall clock may have been set since the loop last looked.
        retireExpiredPool()
        if let current, current.isCurrent, manager?.hasFixedChoice ?? true,
            let route = recentURLs.route(to: url, in: current)
        {
            return route
        }
        // Asked before: what an earlier table said of plain HTTP must not count for a later one.
        let generation = manager?.generation ?? 0
        let judge = try judge(for: url)
        let proxyJudge = try proxyJudge(for: url)
        let pool = try pool(generation: generation)
        let route = Route(to: url, in: pool, judges: ConnectionJudges(server: judge, proxy: proxyJudge))
        url.route = route
        return route
    }

    /// Who judges the URL's host; nil for plain HTTP to a host that nobody has to judge.
    func judge(for url: ParsedURL, isProxy: Bool = false) throws(SessionError) -> HandshakeJudge? {
        guard var policy = try policy(for: url, isProxy: isProxy) else { return nil }
        let identity = configuration.clientIdentity(for: url, isProxy: isProxy)
        let settings = configuration.hostTLSSettings?.settings(for: url.identity, port: url.port)
        if identity != nil || settings != nil || configuration.tlsSettings != nil {
            policy = policy.with(
                clientIdentity: identity ?? policy.clientIdentity,
                tlsSettings: settings ?? configuration.tlsSettings
            )
        }
        return HandshakeJudge(identity: url.identity, policy: policy, now: configuration.now)
    }

    /// Who judges the HTTPS proxy on the way to the URL; nil where there is none.
    func proxyJudge(for url: ParsedURL) throws(SessionError) -> HandshakeJudge? {
        guard let proxy = configuration.proxies.proxy(for: url) else { return nil }
        let url = try ParsedURL(proxy: proxy)
        return url.isSecure ? try judge(for: url, isProxy: true) : nil
    }

    func policy(for url: ParsedURL, isProxy: Bool) throws(SessionError) -> TrustPolicy? {
        guard let manager else { return url.isSecure ? .system() : nil }
        if configuration.judgesProxiesOnly, !isProxy {
            return url.isSecure ? .system(generation: manager.generation) : nil
        }
        let policy: TrustPolicy
        do {
            policy = try manager.policy(for: url.identity, port: url.port)
        } catch {
            throw .serverTrustEvaluationFailed(reason: error)
        }
        if url.isSecure { return policy }
        guard !policy.refusesCleartext else {
            throw .serverTrustEvaluationFailed(reason: policy.cleartextRefusal(url.identity))
        }
        return nil
    }

    func hopEnded(_ hop: Hop, _ code: CURLcode) {
        let exchange = hop.exchange
        if code == CURLE_OK {
            hop.noteKeptSocket()
        } else if hop.isConnectionClosed {
            exchange.restarts += 1
            exchange.unsentBody = hop.unreadBody
            endHop(of: exchange)
            // A new connection at the latest when as many kept ones were tried.
            let isLast = exchange.restarts >= Exchange.mostRestarts
            return beginHopUnlessSuspended(exchange, isLast ? .fresh : .pooled)
        }
        if code != CURLE_OK, let refusal = hop.refusal ?? hop.judges?.refusal, learn(exchange, hop, from: refusal) {
            return
        }
        if code != CURLE_OK, let refusal = hop.refusal {
            let isCurable = hop.connection == .pooled || refusal.code == .policyChanged
            guard isCurable, exchange.restarts < Exchange.mostRestarts else {
                return finish(exchange, .serverTrustEvaluationFailed(reason: refusal))
            }
            exchange.restarts += 1
            exchange.unsentBody = hop.unreadBody
            endHop(of: exchange)
            return beginHopUnlessSuspended(exchange, .fresh)
        }
        var outcome = ExchangeOutcome(request: exchange.request, head: hop.responseHead())
        outcome.measured = .facts(TransferFacts(hop))
        if code == CURLE_OK, let head = outcome.head, let body = hop.redirectBody {
            if let target = hop.easy.string(CURLINFO_REDIRECT_URL) {
                return follow(exchange, from: hop, head, target: target)
            }
            hop.deliver(redirectBody: body)
        }
        if code == CURLE_OK { hop.beginSinkAfterChallenge() }
        if let failure = hop.failure {
            outcome.error = failure
        } else if code != CURLE_OK {
            outcome.error = hop.error(code)
        } else if outcome.head == nil || !hop.isHeadComplete {
            outcome.error = .sessionTaskFailed(
                error: TransportError(code: .badServerResponse, curlCode: nil, message: "the response's head broke off")
            )
        }
        finish(exchange, outcome)
    }

    /// Has fetched what an evaluator needs to know, and then begins the hop anew.
    ///
    /// - Returns: whether that is what the refusal wants, and it has not been done too often.
    func learn(_ exchange: Exchange, _ hop: Hop, from refusal: TrustError) -> Bool {
        guard refusal.code == .revocationInformationNeeded, !refusal.revocationDemands.isEmpty,
            exchange.lessons < Exchange.mostLessons
        else { return false }
        exchange.lessons += 1
        exchange.isLearning = true
        exchange.unsentBody = hop.unreadBody
        endHop(of: exchange)
        deadlines.schedule(exchange, at: exchange.nextDeadline)
        exchange.owner.learn(refusal.revocationDemands, number: exchange.ask())
        return true
    }

    /// What there is to know has been fetched.
    func learned(_ owner: Request, _ number: Int) {
        guard let exchange = exchanges[ObjectIdentifier(owner)], exchange.isLearning, exchange.question == number else {
            return
        }
        exchange.isLearning = false
        deadlines.remove(exchange)
        beginHopUnlessSuspended(exchange, .fresh)
    }

    func finish(_ exchange: Exchange, _ error: SessionError) {
        finish(exchange, ExchangeOutcome(request: exchange.request, error: error))
    }

    func finish(_ exchange: Exchange, _ outcome: consuming ExchangeOutcome) {
        exchange.sink?.end(&outcome)
        drop(exchange)
        exchange.owner.exchangeEnded(outcome, attempt: exchange.order.attempt)
    }

    /// Forgets an exchange, whose owner has its outcome or gets it at once.
    func drop(_ exchange: Exchange) {
        endHop(of: exchange)
        exchange.sink = nil
        exchanges[ObjectIdentifier(exchange.owner)] = nil
    }

    func endHop(of exchange: Exchange) {
        deadlines.remove(exchange)
        guard let hop = exchange.hop else { return }
        hop.pool.remove(hop)
        exchange.hop = nil
    }

    func expireExchanges() {
        while let exchange = deadlines.first, exchange.deadline <= clock.now {
            if let error = exchange.expiredTimeout(now: clock.now) {
                finish(exchange, .sessionTaskFailed(error: error))
            } else {
                deadlines.schedule(exchange, at: exchange.nextDeadline)
            }
        }
    }
}
