import CCallgrind
import Foundation
import Linchpin
import Synchronization

/// The work of floor-bench, by its arguments and commands, through a `Session`; pins are asked of every TLS server.
///
/// usage: worker URL 1.1|2 CONCURRENCY none|ca:FILE|stock:FILE [CONNECTIONS]
///
/// The last certificate of the file is pinned; with `ca:` it is the only anchor, with `stock:` it is added to the system's.
final class Worker: Sendable {
    private let url: String
    private let concurrency: Int
    private let session: Session

    /// What one command came to.
    private struct Tally: Sendable {
        var count = 0
        var failed = 0
    }

    init(_ arguments: [String]) throws {
        guard arguments.count >= 4, let concurrency = Int(arguments[2]), let url = URL(string: arguments[0]) else {
            throw BenchError("usage: worker URL 1.1|2 CONCURRENCY none|ca:FILE|stock:FILE [CONNECTIONS]")
        }
        self.url = arguments[0]
        self.concurrency = concurrency
        var configuration = SessionConfiguration()
        configuration.httpVersion = arguments[1] == "2" ? .http2 : .http1
        if arguments.count > 4 { configuration.maximumConnectionsPerHost = Int(arguments[4]) }
        var limits = rlimit()
        getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limits)
        limits.rlim_cur = limits.rlim_max
        setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limits)
        session = Session(
            configuration: configuration,
            serverTrustManager: try Self.manager(host: url.host() ?? "", trust: arguments[3])
        )
    }

    private static func manager(host: String, trust: String) throws -> ServerTrustManager? {
        guard let colon = trust.firstIndex(of: ":") else { return nil }
        let path = String(trust[trust.index(after: colon)...])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        guard let anchor = try Certificate.certificates(pem: text).last else {
            throw BenchError("no anchor in \(path)")
        }
        let evaluator = try PublicKeyPinsTrustEvaluator(
            pins: [anchor.publicKeyPin.description, "sha256/\(String(repeating: "A", count: 43))="],
            roots: trust.hasPrefix("stock:") ? .systemAndCertificates([anchor]) : .certificates([anchor])
        )
        return try ServerTrustManager(evaluators: [host: evaluator])
    }

    /// Obeys the lines of standard input until its end.
    func obey() async {
        while let line = readLine() {
            let words = line.split(separator: " ")
            let started = ContinuousClock.now
            let used = Self.cpuSeconds
            let tally: Tally
            switch words.first {
            case "run": tally = await run(milliseconds: Int(words[1]) ?? 0, most: Int(words[2]) ?? 0)
            case "counted":
                counting_begins()
                tally = await run(milliseconds: 1_000_000, most: Int(words[1]) ?? 0)
                counting_ends()
            case "hold": tally = await hold(Int(words[1]) ?? 0)
            case "download": tally = await download(to: String(words[1]))
            case "upload": tally = await upload(String(words[1]))
            default: return Self.complain("unknown command \(line)")
            }
            let elapsed = (ContinuousClock.now - started) / .seconds(1)
            Self.say("\(tally.count) \(elapsed) \(Self.cpuSeconds - used) \(tally.failed)")
        }
    }

    /// Requests, so many at a time, until the time is over or `most` have begun.
    private func run(milliseconds: Int, most: Int) async -> Tally {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        // A request of its own for each that runs at once, however short the time is.
        let left = Ration(most - concurrency)
        return await withTaskGroup(of: Tally.self) { group in
            for _ in 0..<min(concurrency, most) {
                group.addTask {
                    var tally = Tally()
                    repeat {
                        tally.count += 1
                        let response = await self.session.request(self.url).serializingData().response
                        if response.statusCode != 200 || response.error != nil {
                            if tally.failed == 0 { Self.complain("\(String(describing: response.error))") }
                            tally.failed += 1
                        }
                    } while ContinuousClock.now < end && left.take()
                    return tally
                }
            }
            return await group.reduce(into: Tally()) {
                $0.count += $1.count; $0.failed += $1.failed
            }
        }
    }

    /// So many requests at once, each to its end.
    private func hold(_ count: Int) async -> Tally {
        let (results, continuation) = AsyncStream.makeStream(of: Bool.self)
        for _ in 0..<count {
            session.request(url).responseData { continuation.yield($0.statusCode == 200) }
        }
        Self.say("begun")
        var tally = Tally()
        for await isRight in results {
            tally.count += 1
            tally.failed += isRight ? 0 : 1
            if tally.count == count { break }
        }
        return tally
    }

    /// The URL's content into a file; counts bytes.
    private func download(to path: String) async -> Tally {
        let destination: DownloadRequest.Destination = { _, _ in (URL(filePath: path), .removePreviousFile) }
        let response = await session.download(url, to: destination).serializingDownloadedFileURL().response
        return Self.tally(of: response.error, path)
    }

    /// A file to the URL; counts bytes.
    private func upload(_ path: String) async -> Tally {
        let response = await session.upload(URL(filePath: path), to: url, method: .put).serializingData().response
        return Self.tally(of: response.error, path)
    }

    private static func tally(of error: SessionError?, _ path: String) -> Tally {
        if let error { complain("\(error)") }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return Tally(count: attributes?[.size] as? Int ?? 0, failed: error == nil ? 0 : 1)
    }

    private static func say(_ words: String) { FileHandle.standardOutput.write(Data("\(words)\n".utf8)) }

    private static func complain(_ words: String) { FileHandle.standardError.write(Data("worker: \(words)\n".utf8)) }

    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// So many things to take, from any thread.
private final class Ration: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func take() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}

/// What ends the measurement.
struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
