internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust

/// Everything that touches libcurl: exchanges, their hops and the pools of connections, on one thread.
final class LoopCore {
    private let configuration: SessionConfiguration
    private let manager: ServerTrustManager?
    private let poller: Poller
    private let clock = LoopClock()
    /// Whether the session's fields are none that the request itself has to show.
    private let fieldsCanWait: Bool
    private var recentURLs = RecentURLs()
    private var exchanges: [ObjectIdentifier: Exchange] = [:]
    private var deadlines = DeadlineHeap<Exchange>()
    /// The pool that new hops use.
    private var current: ConnectionPool?
    /// Pools of earlier states of the table, and of connections whose certificates have expired: they live until
    /// their last transfer has ended.
    private var retired: [ConnectionPool] = []
    private var pools = 0 as UInt32

    private static let mostBusyTurns = 8

    init(configuration: SessionConfiguration, manager: ServerTrustManager?, poller: Poller) {
        self.configuration = configuration
        self.manager = manager
        self.poller = poller
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

    private var allPools: [ConnectionPool] { (current.map { [$0] } ?? []) + retired }

    private func servePools() {
        if let current { serve(current) }
        guard !retired.isEmpty else { return }
        for pool in retired { serve(pool) }
    }

    private func serve(_ pool: ConnectionPool) {
        pool.actOnTimer()
        while let (hop, code) = pool.nextDone() { hopEnded(hop, code) }
    }

    private func obey(_ command: EventLoop.Command) {
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

    private func handle(_ event: Poller.Event) {
        guard case .socket(let socket, let tag, let isReadable, let isWritable, let isBroken) = event else { return }
        let pool = current?.number == tag ? current : retired.first { $0.number == tag }
        pool?.act(on: socket, isReadable: isReadable, isWritable: isWritable, isBroken: isBroken)
    }

    private func shutDown(with error: SessionError) {
        for exchange in exchanges.values { finish(exchange, error) }
        for pool in allPools { pool.close() }
        current = nil
        retired = []
    }
}

// MARK: - Exchanges

extension LoopCore {
    private func start(_ order: ExchangeOrder) {
        // Cancelled on the way here: that has been told already.
        guard order.owner.isWanted else { return }
        let exchange = Exchange(order, configuration: configuration, now: Poller.now())
        exchange.sessionFields = configuration.headers
        if !fieldsCanWait { exchange.addSessionFields() }
        exchanges[ObjectIdentifier(order.owner)] = exchange
        do {
            exchange.sink = try order.owner.makeSink()
            try exchange.request.validateForSending(exchange.body)
        } catch {
            return finish(exchange, error)
        }
        // A suspended one begins when it is resumed.
        if order.owner.state == .suspended {
            deadlines.schedule(exchange, at: exchange.nextDeadline)
        } else {
            beginHop(exchange, .pooled)
        }
    }

    private func cancel(_ owner: Request) {
        var outcome = ExchangeOutcome(error: .explicitlyCancelled)
        if let exchange = exchanges[ObjectIdentifier(owner)] {
            outcome.request = exchange.request
            exchange.sink?.end(&outcome)
            drop(exchange)
        }
        owner.exchangeCancelled(outcome)
    }

    private func wake(_ owner: Request) {
        guard let exchange = exchanges[ObjectIdentifier(owner)] else { return }
        let isSuspended = owner.state == .suspended
        if let hop = exchange.hop {
            hop.updatePause(isSuspended: isSuspended)
            deadlines.schedule(exchange, at: exchange.nextDeadline)
        } else if !isSuspended, exchange.pendingRedirect == nil, !exchange.isLearning {
            beginHop(exchange, .pooled)
        }
    }

    private func beginHop(_ exchange: Exchange, _ connection: Hop.Connection) {
        do {
            guard let target = exchange.request.url else {
                throw SessionError.urlRequestValidationFailed(reason: .unsupportedURL("", why: "there is none"))
            }
            let url = try recentURLs.parsed(target)
            exchange.keepCredential(for: url)
            let judge = try judge(for: url)
            let proxyJudge = try proxyJudge(for: url)
            let pool = try pool(generation: judge?.policy.generation ?? manager?.generation ?? 0)
            let hop = try Hop(
                exchange: exchange,
                pool: pool,
                url: url,
                judges: ConnectionJudges(server: judge, proxy: proxyJudge),
                connection: connection
            )
            exchange.hop = hop
            try pool.add(hop)
            deadlines.schedule(exchange, at: exchange.nextDeadline)
        } catch {
            finish(exchange, error as? SessionError ?? .sessionTaskFailed(error: error))
        }
    }

    /// Who judges the URL's host; nil for plain HTTP to a host that nobody has to judge.
    private func judge(for url: ParsedURL) throws(SessionError) -> HandshakeJudge? {
        guard var policy = try policy(for: url) else { return nil }
        let identity = configuration.clientIdentities?.identity(for: url.identity, port: url.port)
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
    private func proxyJudge(for url: ParsedURL) throws(SessionError) -> HandshakeJudge? {
        guard let proxy = configuration.proxies.proxy(for: url) else { return nil }
        let url = try ParsedURL(proxy: proxy)
        return url.isSecure ? try judge(for: url) : nil
    }

    private func policy(for url: ParsedURL) throws(SessionError) -> TrustPolicy? {
        guard let manager else { return url.isSecure ? .system() : nil }
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

    private func hopEnded(_ hop: Hop, _ code: CURLcode) {
        let exchange = hop.exchange
        if code != CURLE_OK, let refusal = hop.refusal ?? hop.judges.refusal, learn(exchange, from: refusal) { return }
        if code != CURLE_OK, let refusal = hop.refusal {
            let isCurable = hop.connection == .pooled || refusal.code == .policyChanged
            guard isCurable, exchange.restarts < Exchange.mostRestarts else {
                return finish(exchange, .serverTrustEvaluationFailed(reason: refusal))
            }
            exchange.restarts += 1
            endHop(of: exchange)
            return beginHop(exchange, .fresh)
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
    private func learn(_ exchange: Exchange, from refusal: TrustError) -> Bool {
        guard refusal.code == .revocationInformationNeeded, !refusal.revocationDemands.isEmpty,
            exchange.lessons < Exchange.mostLessons
        else { return false }
        exchange.lessons += 1
        exchange.isLearning = true
        endHop(of: exchange)
        deadlines.schedule(exchange, at: exchange.nextDeadline)
        exchange.owner.learn(refusal.revocationDemands, number: exchange.lessons)
        return true
    }

    /// What there is to know has been fetched.
    private func learned(_ owner: Request, _ number: Int) {
        guard let exchange = exchanges[ObjectIdentifier(owner)], exchange.isLearning, exchange.lessons == number else {
            return
        }
        exchange.isLearning = false
        deadlines.remove(exchange)
        beginHop(exchange, .fresh)
    }

    private func finish(_ exchange: Exchange, _ error: SessionError) {
        finish(exchange, ExchangeOutcome(request: exchange.request, error: error))
    }

    private func finish(_ exchange: Exchange, _ outcome: ExchangeOutcome) {
        var outcome = outcome
        exchange.sink?.end(&outcome)
        drop(exchange)
        exchange.owner.exchangeEnded(outcome, attempt: exchange.order.attempt)
    }

    /// Forgets an exchange, whose owner has its outcome or gets it at once.
    private func drop(_ exchange: Exchange) {
        endHop(of: exchange)
        exchange.sink = nil
        exchanges[ObjectIdentifier(exchange.owner)] = nil
    }

    private func endHop(of exchange: Exchange) {
        deadlines.remove(exchange)
        guard let hop = exchange.hop else { return }
        hop.pool.remove(hop)
        exchange.hop = nil
    }

    private func expireExchanges() {
        while let exchange = deadlines.first, exchange.deadline <= clock.now {
            if let error = exchange.expiredTimeout(now: clock.now) {
                finish(exchange, .sessionTaskFailed(error: error))
            } else {
                deadlines.schedule(exchange, at: exchange.nextDeadline)
            }
        }
    }
}

// MARK: - Redirects

extension LoopCore {
    private func follow(_ exchange: Exchange, from hop: Hop, _ head: ResponseHead, target: String) {
        exchange.redirects += 1
        exchange.addSessionFields()
        do {
            guard exchange.redirects <= configuration.maximumRedirects else {
                let message = "there were more than \(configuration.maximumRedirects) redirects"
                throw SessionError.sessionTaskFailed(
                    error: TransportError(code: .tooManyRedirects, curlCode: nil, message: message)
                )
            }
            let redirect = try Redirect(
                from: exchange.request,
                at: hop.url,
                status: head.statusCode,
                target: target,
                allowsPlainHTTP: configuration.allowsRedirectsToPlainHTTP
            )
            exchange.owner.notifyOfRedirect(head, to: redirect.request)
            guard let decide = exchange.owner.redirectDecision() else {
                endHop(of: exchange)
                return follow(exchange, redirect.request, redirect.keepsBody ? exchange.body : .none)
            }
            exchange.pendingRedirect = PendingRedirect(
                redirect: redirect,
                source: hop.url,
                outcome: ExchangeOutcome(request: exchange.request, head: head),
                body: hop.redirectBody ?? Data()
            )
            endHop(of: exchange)
            deadlines.schedule(exchange, at: exchange.nextDeadline)
            decide(head.response, redirect.request, exchange.redirects)
        } catch {
            finish(exchange, error as? SessionError ?? .sessionTaskFailed(error: error))
        }
    }

    /// The request's owner has said where to go; nil makes the redirect itself the response.
    private func redirectDecided(_ owner: Request, _ number: Int, _ request: URLRequest?) {
        guard let exchange = exchanges[ObjectIdentifier(owner)], exchange.redirects == number,
            let pending = exchange.pendingRedirect
        else { return }
        exchange.pendingRedirect = nil
        deadlines.remove(exchange)
        do throws(SessionError) {
            if let request {
                let allowsPlainHTTP = configuration.allowsRedirectsToPlainHTTP
                let (next, body) = try pending.next(request, exchange.body, allowsPlainHTTP: allowsPlainHTTP)
                return follow(exchange, next, body)
            }
            try exchange.sink?.begin { pending.outcome.head }
            try exchange.sink?.receive(all: pending.body)
            finish(exchange, pending.outcome)
        } catch {
            finish(exchange, error)
        }
    }

    private func follow(_ exchange: Exchange, _ request: URLRequest, _ body: RequestBody) {
        exchange.request = request
        exchange.body = body
        do {
            try request.validateForSending(exchange.body)
            beginHop(exchange, .pooled)
        } catch {
            finish(exchange, error)
        }
    }
}

// MARK: - Pools

extension LoopCore {
    /// The pool for connections that are judged by this state of the table.
    private func pool(generation: Int) throws(SessionError) -> ConnectionPool {
        if let current, current.generation == generation { return current }
        retireCurrentPool()
        pools = (pools + 1) % 0x7FFF_FFFF
        let pool = try ConnectionPool(
            number: pools,
            generation: generation,
            configuration: configuration,
            manager: manager,
            poller: poller,
            clock: clock
        )
        pool.deadlineChanged = { [unowned self] hop in
            deadlines.schedule(hop.exchange, at: hop.exchange.nextDeadline)
        }
        current = pool
        return pool
    }

    private func retireCurrentPool() {
        guard let pool = current else { return }
        current = nil
        retired.append(pool)
    }

    /// Only between the turns of the loop: within one a pool is in use, and the hop that ended last still has a handle.
    private func closeEmptyPools() {
        for pool in retired where pool.isEmpty { pool.close() }
        retired.removeAll(where: \.isEmpty)
    }

    /// Closes the connections as soon as a certificate that let one of them in has expired.
    private func retireExpiredPool() {
        guard let current, current.validUntil.isOver(at: configuration.now()) else { return }
        retireCurrentPool()
    }

    private var nextDeadline: Int64 {
        var next = min(deadlines.first?.deadline ?? .max, expiryDeadline)
        if let current { next = min(next, current.timerDeadline) }
        for pool in retired { next = min(next, pool.timerDeadline) }
        return next
    }

    /// When to look at the certificates' validity; the wall clock can be set, so no later than an hour from now.
    private var expiryDeadline: Int64 {
        guard let current, current.validUntil < .distantFuture else { return .max }
        let left = current.validUntil.endOfSecond.timeIntervalSince(configuration.now()) + 0.001
        return clock.now.advanced(bySeconds: min(max(left, 0.001), 3_600))
    }
}
