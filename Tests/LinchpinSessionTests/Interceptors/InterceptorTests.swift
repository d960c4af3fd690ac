import Foundation
import FoundationNetworking
import LinchpinTesting
import Testing

@testable import LinchpinSession

@Suite struct InterceptorTests {
    struct Failed: Error {}

    private func adding(_ letter: String) -> Adapter {
        .adapter { request, _, completion in
            var request = request
            request.setValue(
                (request.value(forHTTPHeaderField: "X-Trace") ?? "") + letter,
                forHTTPHeaderField: "X-Trace"
            )
            completion(.success(request))
        }
    }

    @Test func `adapters change the request one after the other, its own before the session's`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let session = Session(interceptor: .interceptor(adapters: [adding("c"), adding("d")]))
        let own = Interceptor(adapters: [adding("a")], interceptors: [adding("b")])
        #expect(await session.request(server.url, interceptor: own).serializingData().response.text == "hello")
        #expect(server.log.requests.map { $0.header("X-Trace") } == ["abcd"])
    }

    @Test func `an adapter's error ends the request before anything is sent`() async throws {
        let server = try LocalTLSServer.plain()
        let later = Counter()
        let interceptor = Interceptor(adapters: [
            .adapter { _, _, completion in completion(.failure(Failed())) },
            .adapter { request, _, completion in
                later.add()
                completion(.success(request))
            },
        ])
        guard case .requestAdaptationFailed(let error) = await Session(interceptor: interceptor).get(server.url).error
        else {
            Issue.record("it was sent")
            return
        }
        #expect(error is Failed)
        #expect(later.value == 0)
        #expect(server.log.connections == 0)
    }

    @Test func `the first retrier with an opinion has it, and adapters run for each attempt`() async throws {
        let server = try LocalTLSServer.plain { .text($0.header("X-Trace") ?? "", status: 503) }
        let asked = Recorded<String>()
        let adapted = Counter()
        let interceptor = Interceptor(
            adapters: [
                .adapter { request, _, completion in
                    adapted.add()
                    completion(.success(request))
                }
            ],
            retriers: [
                .retrier { _, _, _, completion in
                    asked.add("none")
                    completion(.doNotRetry)
                },
                .retrier { request, _, _, completion in
                    asked.add("\(request.retryCount)")
                    completion(request.retryCount < 2 ? .retry : .doNotRetryWithError(Failed()))
                },
                .retrier { _, _, _, completion in
                    asked.add("never")
                    completion(.retry)
                },
            ]
        )
        let response = await Session(interceptor: interceptor).request(server.url).wantingSuccess().serializingData()
            .response
        guard case .requestRetryFailed(let error, let original) = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(error is Failed)
        #expect((original as? SessionError)?.underlyingError is UnwantedStatus)
        #expect(asked.all == ["none", "0", "none", "1", "none", "2"])
        #expect(adapted.value == 3)
        #expect(server.log.requests.count == 3)
    }

    @Test func `a retrier sees the response of the attempt, and the caller that of the last`() async throws {
        let statuses = Recorded<Int?>()
        let answers = Counter()
        let server = try LocalTLSServer.plain { _ in .text("x", status: [500, 502, 200][answers.add() - 1]) }
        let retrier = Retrier { request, _, _, completion in
            statuses.add(request.response?.statusCode)
            completion(.retry)
        }
        let request = Session(interceptor: retrier).request(server.url).wantingSuccess()
        #expect(await request.serializingData().response.status == 200)
        #expect(statuses.all == [500, 502])
        #expect(request.response?.statusCode == 200)
    }

    @Test func `a request that is cancelled between two attempts is not sent again`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("", status: 503) }
        let retrier = Retrier { request, _, _, completion in
            request.cancel()
            completion(.retry)
        }
        let session = Session(interceptor: retrier)
        let response = await session.request(server.url).wantingSuccess().serializingData().response
        #expect(response.error?.isExplicitlyCancelledError == true)
        await session.invalidate()
        #expect(server.log.requests.count == 1)
    }
}
