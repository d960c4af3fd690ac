internal import Foundation
public import FoundationNetworking
internal import LinchpinSession

/// Carries the tasks of a `URLSession` over a Linchpin session, which judges every server before a byte is sent to it.
///
/// A client that is written for `URLSession` is pinned by one line in its configuration:
///
/// ```swift
/// import FoundationNetworking
/// import Linchpin
/// import LinchpinFoundation
///
/// let manager = try ServerTrustManager(evaluators: [
///     "api.example.com": PublicKeyPinsTrustEvaluator(pins: ["sha256/…", "sha256/…"])
/// ])
/// let configuration = URLSessionConfiguration.default
/// configuration.use(Session(serverTrustManager: manager))
///
/// let client = URLSession(configuration: configuration)
/// let (data, response) = try await client.data(from: url)
/// ```
///
/// Data, upload and download tasks work as before, with delegates, with completion handlers and with `async`; so do
/// redirects through the delegate, cancellation, suspension, time-outs and cookies. Errors are `URLError`s with the
/// codes of Apple's systems, such as `.serverCertificateUntrusted`; the `SessionError` is their underlying error.
///
/// It never falls back to Foundation's own transport: what it cannot carry fails, with `.unsupportedURL` for WebSockets
/// and every scheme but `http` and `https` (`data:` needs no network and stays Foundation's). A class that stands before
/// this one in `protocolClasses` takes tasks away from it, and `URLSession.shared`, whose configuration cannot be changed,
/// knows nothing of it.
///
/// Other than with Foundation's transport:
/// - A `401` is a response like any other. The delegate is not asked for a credential, and the response has no
///   `WWW-Authenticate`: Foundation would send the request again by itself, to a server that nobody has judged. Set
///   `Authorization`, or give the Linchpin session an interceptor that does.
/// - `URLCache` is neither read nor written. Proxies are the Linchpin session's. Redirects from https to http are not
///   followed, and fields that may hold credentials do not cross to another origin, as the Linchpin session has it.
/// - Only `http` cookies whose path and `Secure` fit are sent. `HTTPCookieStorage` knows no public suffixes.
/// - `currentRequest`, `error` and the byte counts of a task stay as they were at its start, since only Foundation can
///   set them; the task's `progress`, its response and the calls to its delegate are right.
/// - A body stream cannot be sent a second time: a redirect that wants it ends with `.requestBodyStreamExhausted`.
///
/// > Warning: What Foundation does not offer is found by reflection. It was checked on Swift 6.3; where another version
/// > is different, tasks fail before anything is sent.
public final class LinchpinURLProtocol: URLProtocol {
    /// What carries the task; nil before it starts. The first property of its own: see ``setTemporaryFile(_:)``.
    var transfer: TaskTransfer?

    /// Takes every request that would need a network.
    public override class func canInit(with request: URLRequest) -> Bool {
        request.url?.scheme?.lowercased() != "data"
    }

    /// The request itself.
    public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Starts the task, or lets it go on. Foundation calls it on the task's work queue.
    public override func startLoading() {
        if let transfer { return transfer.resume() }
        guard task?.state != .canceling else { return }
        do throws(URLError) {
            let transfer = try TaskTransfer(self)
            self.transfer = transfer
            transfer.start()
        } catch {
            client?.urlProtocol(self, didFailWithError: error)
            // Whoever waits for a message of a WebSocket is told only so.
            if task is URLSessionWebSocketTask { task?.cancel() }
        }
    }

    /// Holds the task or ends it. Foundation calls it on the task's work queue.
    public override func stopLoading() {
        switch task?.state {
        case .running, .suspended: transfer?.suspend()
        default: transfer?.stop()
        }
    }
}
