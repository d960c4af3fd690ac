internal import Foundation
public import FoundationNetworking
internal import LinchpinSession
internal import Synchronization

/// Puts a token into requests, and gets another one when a server does not accept it any more.
///
/// The targets that get it are those of ``AccessTokenPlugin``: ``AccessTokenAuthorizable`` ones with a type, and no
/// `Authorization` of their own. After an answer of 401 the token is refreshed, and the request prepared and sent once
/// more; plugins then see two requests and two answers, the completion gets the last. However many requests meet an old
/// token, there is one refresh at a time, and one whose token was replaced while it was under way is sent again without
/// a refresh. When a refresh fails, the requests that waited for it, and those that had been sent before and are refused
/// later, end with its error as ``ProviderError`` `.underlying`, with their response; the next one that is sent may cause
/// another.
///
/// ```swift
/// let refresh = TokenRefreshPlugin(token: tokens.access) { _ in
///     try await provider.request(.refresh(tokens.refresh)).map(Tokens.self).access
/// }
/// ```
///
/// Requests that the closure itself makes cause no refresh. It must not wait for a request that a detached task makes: of
/// that nobody knows that it belongs to the refresh, for which it may wait in turn. Safe to use from any thread.
public final class TokenRefreshPlugin: PluginType {
    /// Gets a new token, given the one that was refused; nil where there was none.
    public typealias Refresh = @Sendable (_ old: String?) async throws -> String

    /// Whether the current task is a refresh, which must not wait for itself.
    @TaskLocal static var isRefreshing = false

    private let refresh: Refresh
    private let state: Mutex<State>

    private struct State {
        var token: String?
        /// The tokens before it, the latest last; what was sent with one of them is sent again.
        var earlier: [String] = []
        var running: Task<Void, any Error>?
        /// How many refreshes have failed.
        var failures = 0
        /// The last of them, of the token that is still in use.
        var failure: (any Error)?

        mutating func replaceToken(_ new: String?) {
            if let token, token != new { earlier = (earlier + [token]).suffix(16) }
            failure = nil
            token = new
        }
    }

    /// Makes a plugin.
    ///
    /// - Parameters:
    ///   - token: the first token; nil for none, so that the first answer of 401 gets one.
    ///   - refresh: gets a new token. It runs in a task of its own, which no request's cancellation cancels.
    public init(token: String? = nil, refresh: @escaping Refresh) {
        self.refresh = refresh
        state = Mutex(State(token: token))
    }

    /// The token in use.
    public var token: String? { state.withLock { $0.token } }

    /// Puts another token in use, after a sign-in say; nil for none.
    public func replaceToken(_ token: String?) { state.withLock { $0.replaceToken(token) } }

    /// The request with the token.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        (try? fill(request, target: target)) ?? request
    }

    /// Waits for the refresh that runs, or for one that begins now; not at all, if the token is another one by now.
    private func replace(_ old: String?) async throws {
        let task = state.withLock { state -> Task<Void, any Error>? in
            if let running = state.running { return running }
            guard state.token == old else { return nil }
            let task = Task { try await self.runRefresh(old) }
            state.running = task
            return task
        }
        try await task?.value
    }

    private func runRefresh(_ old: String?) async throws {
        do {
            let token = try await Self.$isRefreshing.withValue(true) { try await refresh(old) }
            state.withLock { state in
                state.running = nil
                // A sign-in meanwhile is newer than what was asked for before it.
                if state.token == old { state.replaceToken(token) }
            }
        } catch {
            state.withLock { state in
                state.running = nil
                guard state.token == old else { return }
                state.failures += 1
                state.failure = error
            }
            throw error
        }
    }

    private static func value(_ type: AuthorizationType, _ token: String?) -> String? {
        guard let token = token?.trimmingCharacters(in: .whitespacesAndNewlines), !token.isEmpty else { return nil }
        return "\(type.value) \(token)"
    }
}

extension TokenRefreshPlugin: HeaderSupplying {
    func prepare(_ request: URLRequest, target: any TargetType, call: CallIdentity) throws(SessionError) -> URLRequest {
        call.mark(state.withLock { $0.failures }, for: self)
        return try fill(request, target: target)
    }

    func headers(for target: any TargetType, in request: URLRequest) -> HTTPHeaders {
        guard let type = (target as? any AccessTokenAuthorizable)?.authorizationType,
            request.value(forHTTPHeaderField: "Authorization") == nil,
            let value = Self.value(type, token)
        else { return [:] }
        return ["Authorization": value]
    }
}

extension TokenRefreshPlugin: CallReplaying {
    func replay(
        after response: Response,
        to request: URLRequest,
        target: any TargetType,
        call: CallIdentity
    ) -> (@Sendable () async throws -> Void)? {
        guard response.statusCode == 401,
            let type = (target as? any AccessTokenAuthorizable)?.authorizationType
        else { return nil }
        // A redirect to another origin has taken the token off: nobody has refused it.
        let isTakenOff = response.request.map { $0.value(forHTTPHeaderField: "Authorization") == nil } ?? false
        if isTakenOff, request.value(forHTTPHeaderField: "Authorization") != nil { return nil }
        let mark = call.mark(for: self)
        let (token, earlier, failure) = state.withLock { state in
            // The failure of a refresh that ended after this request had been sent is its own too.
            let isEarlier = state.running == nil && mark.map { $0 < state.failures } == true
            return (state.token, state.earlier, isEarlier ? state.failure : nil)
        }
        let sent = request.value(forHTTPHeaderField: "Authorization")
        if sent == Self.value(type, token) {
            return { if let failure { throw failure } else { try await self.replace(token) } }
        }
        let isReplaced = sent == nil || earlier.contains { Self.value(type, $0) == sent }
        guard isReplaced else { return nil }
        return { @Sendable in }
    }
}
