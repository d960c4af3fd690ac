import Foundation
import FoundationNetworking
import LinchpinTesting
import Testing

@testable import LinchpinSession

/// Requests of a URL's text, which share what was made of it.
@Suite struct RecentRequestTests {
    private static let texts = (0..<20).map { "https://example.com:8443/path/\($0)?q=\($0 % 3)#part" }

    @Test func `a text is made into the same request again and again, however many there are`() throws {
        let recent = RecentRequests()
        for text in Self.texts + Self.texts + Self.texts.reversed() {
            let request = try PlainRequest(text: text, recent: recent).asURLRequest()
            #expect(request == (try URLRequest(url: text, method: .get)))
            #expect(request.url?.absoluteString == text)
        }
    }

    @Test(arguments: ["", "https://exa mple.com/", "http://[::1"])
    func `a text that is no URL is none each time`(_ text: String) {
        let recent = RecentRequests()
        for _ in 0..<3 {
            #expect(throws: SessionError.self) { try PlainRequest(text: text, recent: recent).asURLRequest() }
        }
    }

    @Test func `what an adapter changes in a request is in no other of the same text`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("ok") }
        let session = Session()
        let text = server.url.absoluteString
        let adapter = Adapter { request, _, completion in
            var request = request
            request.httpMethod = "POST"
            request.httpBody = Data("body".utf8)
            request.timeoutInterval = 7
            request.setValue("1", forHTTPHeaderField: "X-Adapted")
            completion(.success(request))
        }
        for interceptor in [nil, adapter, nil] {
            let request = session.request(text, interceptor: interceptor)
            #expect(await request.serializingData().response.statusCode == 200)
            #expect(request.request?.timeoutInterval == 60)
        }
        #expect(server.log.requests.map(\.method) == ["GET", "POST", "GET"])
        #expect(server.log.requests.map { $0.header("X-Adapted") } == [nil, "1", nil])
        #expect(server.log.requests.map { $0.header("Content-Length") } == [nil, "4", nil])
    }

    @Test func `tasks that wait for responses of the same moment all get their own`() async throws {
        let server = try LocalTLSServer.plain { .text($0.target) }
        let session = Session()
        let base = server.url.absoluteString
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<40 {
                group.addTask {
                    for turn in 0..<5 {
                        let response = await session.request("\(base)\(task)/\(turn)").serializingString().response
                        #expect(response.value?.hasSuffix("\(task)/\(turn)") == true, "\(response)")
                    }
                }
            }
        }
        session.withAllRequests { #expect($0.isEmpty) }
    }
}

/// The requests of a session that run.
@Suite struct RunningRequestsTests {
    private func requests(_ count: Int) -> [DataRequest] {
        let session = Session()
        return (0..<count).map { session.request("http://localhost/\($0)") }
    }

    @Test func `requests that are added and not removed are there`() {
        let all = requests(10)
        var running = RunningRequests()
        for request in all { running.add(request) }
        for request in all[2..<7] { running.remove(request) }
        let later = requests(7)
        for request in later { running.add(request) }
        #expect(Set(running.all) == Set(all[..<2] + all[7...] + later))
    }

    @Test func `a request that ended before it was added is not added`() {
        let all = requests(2)
        var running = RunningRequests()
        running.remove(all[0])
        for request in all { running.add(request) }
        #expect(running.all == [all[1]])
        running.remove(all[1])
        running.remove(all[1])
        #expect(running.all.isEmpty)
    }
}
