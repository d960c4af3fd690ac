internal import Foundation
internal import Glibc
internal import LinchpinTrust
internal import Synchronization

/// The running part of a server, which its threads keep alive until they end.
final class ServerCore: Sendable {
    typealias Handler = @Sendable (LocalTLSServer.Request) -> LocalTLSServer.Response

    let configuration: LocalTLSServer.Configuration
    let recorder: ServerRecorder
    /// Nil for a server of plain HTTP.
    let tls: TLSContext?
    private let stopSignal: StopSignal
    /// The port tells the threads of several servers apart.
    private let threadName: String
    private let parts: Mutex<Parts>
    private let life = Monitor(Life())

    /// What can be replaced while the server runs.
    private struct Parts {
        /// Nil after the stop: the handler may hold the server itself.
        var handler: Handler?
        var identity: PresentedIdentity?
        var connectionFault: LocalTLSServer.Configuration.ConnectionFault?
    }

    /// The threads.
    private struct Life {
        var acceptor: JoinableThread?
        var connections: [JoinableThread] = []
        /// The threads that may be in a handler.
        var serving: Set<pthread_t> = []
        var hasEnded = true
    }

    init(
        port: UInt16,
        configuration: LocalTLSServer.Configuration,
        identity: PresentedIdentity?,
        handler: @escaping Handler
    ) throws(TestingError) {
        self.configuration = configuration
        recorder = ServerRecorder(configuration.recording)
        tls = identity == nil ? nil : try TLSContext(configuration)
        threadName = "linchpin-\(port)"
        stopSignal = try StopSignal()
        parts = Mutex(Parts(handler: handler, identity: identity, connectionFault: configuration.connectionFault))
    }

    var handler: Handler? { parts.withLock(\.handler) }
    var identity: PresentedIdentity? {
        get { parts.withLock(\.identity) }
        set { parts.withLock { $0.identity = newValue } }
    }
    var connectionFault: LocalTLSServer.Configuration.ConnectionFault? {
        get { parts.withLock(\.connectionFault) }
        set { parts.withLock { $0.connectionFault = newValue } }
    }

    /// Starts accepting connections.
    func start(_ listener: Listener) throws(TestingError) {
        let handoff = Handoff(listener)
        guard let exit = ProcessExit.add({ [weak self] in self?.stop() }) else {
            throw TestingError(.serverUnavailable, reason: "the process is exiting")
        }
        life.update { $0.hasEnded = false }
        let thread = JoinableThread(name: threadName) { [self] in
            acceptConnections(handoff)
            joinConnections { _ in true }
            ProcessExit.remove(exit)
            life.update { $0.hasEnded = true }
        }
        guard let thread else {
            ProcessExit.remove(exit)
            life.update { $0.hasEnded = true }
            throw TestingError(.serverUnavailable, reason: "no thread could be started")
        }
        life.update { $0.acceptor = thread }
    }

    /// Ends all threads and waits for them; from one of them, a handler, without waiting.
    func stop() {
        stopSignal.raise()
        // Let go outside the lock: it may hold anything.
        let handler = parts.withLock { parts in
            defer { parts.handler = nil }
            return parts.handler
        }
        withExtendedLifetime(handler) {}
        let (acceptor, isOurs) = life.update { life in
            defer { life.acceptor = nil }
            return (life.acceptor, life.serving.contains(pthread_self()))
        }
        guard !isOurs else {
            acceptor?.detach()
            return
        }
        _ = life.wait(seconds: .infinity) { $0.hasEnded }
        acceptor?.join()
    }

    /// Runs until the stop; the port is free when it returns.
    private func acceptConnections(_ handoff: Handoff<Listener>) {
        guard let listener = handoff.take() else { return }
        while let socket = listener.accept(unless: stopSignal) {
            joinConnections(where: \.isFinished)
            let number = recorder.connectionOpened()
            let handoff = Handoff(socket)
            let thread = JoinableThread(name: threadName) { [self] in
                life.update { _ = $0.serving.insert(pthread_self()) }
                serve(number, handoff)
                recorder.connectionClosed()
                life.update { _ = $0.serving.remove(pthread_self()) }
            }
            if let thread {
                life.update { $0.connections.append(thread) }
            } else {
                recorder.connectionClosed()
            }
        }
    }

    /// Serves one connection, closed when it returns.
    private func serve(_ number: Int, _ handoff: Handoff<ConnectionSocket>) {
        guard let socket = handoff.take() else { return }
        ServerConnection(number: number, socket: socket, core: self).run()
    }

    private func joinConnections(where isWanted: (JoinableThread) -> Bool) {
        let wanted = life.update { life in
            let wanted = life.connections.filter(isWanted)
            life.connections.removeAll(where: isWanted)
            return wanted
        }
        for thread in wanted { thread.join() }
    }
}

/// Something that passes to another thread whole.
private final class Handoff<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
