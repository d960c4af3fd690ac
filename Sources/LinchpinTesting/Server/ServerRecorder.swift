/// Where the threads of a server write down what they see.
final class ServerRecorder: Sendable {
    private static let keptBytes = 1 << 20
    private let log = Monitor(LocalTLSServer.Log())
    private let keepsEverything: Bool

    init(_ recording: LocalTLSServer.Configuration.Recording) { keepsEverything = recording == .everything }

    /// What was written down so far.
    var current: LocalTLSServer.Log { log.current }

    /// Waits until it is as wanted; false when the time is up.
    func wait(seconds: Double, _ isWanted: (LocalTLSServer.Log) -> Bool) -> Bool {
        log.wait(seconds: seconds, isWanted)
    }

    /// A connection was accepted; its number.
    func connectionOpened() -> Int {
        log.update { log in
            log.connections += 1
            log.openConnections += 1
            return log.connections
        }
    }

    func connectionClosed() { log.update { $0.openConnections -= 1 } }

    func handshakeEnded(_ handshake: LocalTLSServer.Handshake) {
        log.update { log in
            log.handshakeCount += 1
            if keepsEverything { log.handshakes.append(handshake) }
        }
    }

    /// An alert came after the handshake was written down.
    func alertArrived(_ words: String, onConnection number: Int) {
        log.update { log in
            guard let index = log.handshakes.lastIndex(where: { $0.number == number }) else { return }
            log.handshakes[index].alertReceived = words
        }
    }

    func bytesArrived(_ bytes: some Collection<UInt8>) {
        log.update { log in
            log.bytesReceived += bytes.count
            if keepsEverything { log.rawBytes.append(contentsOf: bytes.prefix(Self.keptBytes - log.rawBytes.count)) }
        }
    }

    func requestArrived(_ request: LocalTLSServer.Request) {
        log.update { log in
            log.requestCount += 1
            if keepsEverything { log.requests.append(request) }
        }
    }
}
