import Dispatch
import Foundation
import FoundationNetworking
import LinchpinFoundation
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@Suite struct RaceTests {
    @Test func `tasks that are held, let go and cancelled at random end once, and leave no file`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            setenv("TMPDIR", folder.path, 1)
            let body = Data(repeating: 1, count: 300_000)
            let server = try LocalTLSServer.plain { request in
                switch request.path {
                case "/redirect": .redirect(to: "/body", status: 307)
                case "/part": .init(body: body, fault: .closeAfter(bytes: 100_000))
                case "/hold": .init(body: body, fault: .holdAfter(bytes: 100_000))
                default: .init(body: body)
                }
            }
            for _ in 0..<8 {
                let count = 60
                let ends = Mutex(Array(repeating: 0, count: count))
                let configuration = URLSessionConfiguration.ephemeral
                let carrier = Session()
                configuration.use(carrier)
                let session = URLSession(configuration: configuration)
                for number in 0..<count {
                    let path = ["/body", "/redirect", "/part", "/hold"].randomElement() ?? "/"
                    var request = URLRequest(url: server.url(host: "localhost", path: path))
                    let task: URLSessionTask
                    switch number % 3 {
                    case 0: task = session.dataTask(with: request) { _, _, _ in ends.withLock { $0[number] += 1 } }
                    case 1:
                        request.httpMethod = "POST"
                        task = session.uploadTask(with: request, from: body) { _, _, _ in
                            ends.withLock { $0[number] += 1 }
                        }
                    default:
                        task = session.downloadTask(with: request) { file, _, _ in
                            if let file { try? FileManager.default.removeItem(at: file) }
                            ends.withLock { $0[number] += 1 }
                        }
                    }
                    task.resume()
                    for _ in 0..<2 {
                        let deed = Int.random(in: 0..<3)
                        DispatchQueue.global().asyncAfter(deadline: .now() + .random(in: 0...0.1)) {
                            switch deed {
                            case 0: task.suspend()
                            case 1: task.resume()
                            default: task.cancel()
                            }
                        }
                    }
                }
                _ = try await eventually(within: .random(in: 0.12...0.3)) { false }
                await carrier.invalidate()
                session.invalidateAndCancel()
                try #require(
                    try await eventually(within: 30) { ends.withLock { $0.allSatisfy { $0 > 0 } } },
                    "\(ends.withLock { $0 })"
                )
                try #require(ends.withLock { $0.allSatisfy { $0 == 1 } })
            }
            let left = { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }
            try #require(try await eventually { left().isEmpty }, "\(left())")
        }
    }
}
