import Dispatch
import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// Promise 7 for every kind of request, with those who are asked on the way answering late, twice and never.
@Suite struct RaceOfKindsTests {
    private final class Ends: Sendable {
        let counts: Mutex<[Int]>
        init(_ count: Int) { counts = Mutex(Array(repeating: 0, count: count)) }
        func add(_ number: Int) { counts.withLock { $0[number] += 1 } }
        var areAll: Bool { counts.withLock { $0.allSatisfy { $0 > 0 } } }
        var areAllOne: Bool { counts.withLock { $0.allSatisfy { $0 == 1 } } }
    }

    /// Answers at random, or not.
    private struct Moody: RequestInterceptor, RedirectHandler {
        private static func mood(_ answer: @escaping @Sendable () -> Void) {
            switch Int.random(in: 0..<5) {
            case 0: break
            case 1:
                answer()
                answer()
            case 2: DispatchQueue.global().asyncAfter(deadline: .now() + .random(in: 0...0.02)) { answer() }
            default: answer()
            }
        }

        func adapt(
            _ urlRequest: URLRequest,
            for session: Session,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            Self.mood { completion(.success(urlRequest)) }
        }

        func retry(
            _ request: Request,
            for session: Session,
            dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            let results: [RetryResult] = [.retry, .retryWithDelay(0.002), .doNotRetry]
            Self.mood { completion(request.retryCount > 3 ? .doNotRetry : results.randomElement() ?? .doNotRetry) }
        }

        func request(
            _ request: Request,
            willBeRedirectedTo next: URLRequest,
            for response: HTTPURLResponse,
            completion: @escaping @Sendable (URLRequest?) -> Void
        ) {
            Self.mood { completion(Bool.random() ? next : nil) }
        }
    }

    @Test func `requests of every kind end once, and leave no file`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            setenv("TMPDIR", folder.path, 1)
            let world = try World()
            let body = Data(repeating: 1, count: 400_000)
            let server = try LocalTLSServer(
                identity: world.identity,
                configuration: .init(recording: .counts)
            ) { request in
                switch request.path {
                case "/redirect": .redirect(to: "/body", status: 307)
                case "/error": .text("why", status: 503)
                case "/part": .init(headers: [.init("ETag", "\"1\"")], body: body, fault: .closeAfter(bytes: 100_000))
                case "/hold": .init(headers: [.init("ETag", "\"1\"")], body: body, fault: .holdAfter(bytes: 300_000))
                default: .init(headers: [.init("Cache-Control", "max-age=1")], body: body)
                }
            }
            let manager = try world.manager()
            let evaluator = try world.pinned()
            let paths = ["/body", "/redirect", "/error", "/part", "/hold"]
            for round in 0..<12 {
                let count = 120
                let ends = Ends(count)
                let session = Session(
                    configuration: .with {
                        $0.cache = ResponseCache()
                        $0.eventLoopCount = 1 + round % 3
                    },
                    interceptor: Moody(),
                    serverTrustManager: manager,
                    redirectHandler: Moody()
                )
                for number in 0..<count {
                    let url = server.url(host: "localhost", path: paths.randomElement() ?? "/")
                    let end: @Sendable () -> Void = { ends.add(number) }
                    let request: Request
                    switch number % 5 {
                    case 0: request = session.request(url).wantingSuccess().response { _ in end() }
                    case 1:
                        request = session.upload(InputStream(data: body), to: url).wantingSuccess()
                            .response { _ in end() }
                    case 2:
                        let download = session.download(url).wantingSuccess()
                        request = download.response { response in
                            if let file = response.fileURL { try? FileManager.default.removeItem(at: file) }
                            if let data = response.resumeData { try? PartialDownload(resumeData: data).remove() }
                            end()
                        }
                    case 3:
                        request = session.streamRequest(url).wantingSuccess().responseStream { stream in
                            if case .complete = stream.event { end() }
                        }
                    default:
                        // Nobody reads it.
                        let stream = session.streamRequest(url)
                        // Made here, so that it has begun before it may be suspended.
                        let chunks = stream.streamTask().streamingData().makeAsyncIterator()
                        Task {
                            var parts = chunks
                            _ = try? await parts.next()
                            end()
                        }
                        request = stream
                    }
                    for _ in 0..<3 {
                        let delay = Double.random(in: 0...0.2)
                        let deed = Int.random(in: 0..<4)
                        DispatchQueue.global().asyncAfter(deadline: .now() + delay) {
                            switch deed {
                            case 0: request.suspend()
                            case 1: request.resume()
                            case 2: request.cancel()
                            default: (request as? DownloadRequest)?.cancel(byProducingResumeData: { _ in })
                            }
                        }
                    }
                }
                if round % 4 == 1 {
                    try manager.replaceEvaluators(["localhost": evaluator], runningExchanges: .cancel)
                }
                _ = try await eventually(within: .random(in: 0.1...0.4)) { false }
                await session.invalidate()
                try #require(try await eventually(within: 30) { ends.areAll }, "\(ends.counts.withLock { $0 })")
                try #require(ends.areAllOne)
            }
            let isClean = try await eventually {
                (try? FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty) == true
            }
            try #require(isClean, "\((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])")
            try #require(await server.waitUntil { $0.openConnections == 0 }, "a connection is left")
        }
    }
}
