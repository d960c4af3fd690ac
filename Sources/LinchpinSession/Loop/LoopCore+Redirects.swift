internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust

extension LoopCore {
    func follow(_ exchange: Exchange, from hop: Hop, _ head: ResponseHead, target: String) {
        exchange.redirects += 1
        for name in exchange.order.conditions { exchange.request.setValue(nil, forHTTPHeaderField: name) }
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
            decide(head.response, redirect.request, exchange.ask())
        } catch {
            finish(exchange, error as? SessionError ?? .sessionTaskFailed(error: error))
        }
    }

    /// The request's owner has said where to go; nil makes the redirect itself the response.
    func redirectDecided(_ owner: Request, _ number: Int, _ request: URLRequest?) {
        guard let exchange = exchanges[ObjectIdentifier(owner)], exchange.question == number,
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
            let size = Int64(pending.body.count)
            if let violation = configuration.responseLimits.violation(decoded: size, transferred: size) {
                throw .sessionTaskFailed(error: violation)
            }
            try exchange.sink?.begin { pending.outcome.head }
            try exchange.sink?.receive(all: pending.body)
            finish(exchange, pending.outcome)
        } catch {
            finish(exchange, error)
        }
    }

    func follow(_ exchange: Exchange, _ request: URLRequest, _ body: RequestBody) {
        exchange.request = request
        exchange.body = body
        exchange.lessons = 0
        do {
            try request.validateForSending(exchange.body)
            beginHopUnlessSuspended(exchange, .pooled)
        } catch {
            finish(exchange, error)
        }
    }
}
