import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinSession

/// What a real nginx puts a limit to.
@Suite struct NginxLimitTests {
    private func start(
        _ world: World,
        _ version: NginxServer.HTTPVersion,
        keepAlive: Int = 75,
        _ configuration: String,
        http: String = ""
    ) async throws -> (server: NginxServer, url: String) {
        let server = try await NginxServer.start(
            identity: world.nginxIdentity,
            version: version,
            keepAlive: keepAlive,
            body: "hello",
            serverConfiguration: configuration,
            httpConfiguration: http
        )
        return (server, "https://localhost:\(server.port)/")
    }

    enum Source: CaseIterable { case data, file, stream }

    /// nginx answers as soon as it knows, and does not wait for the body.
    @Test(arguments: Source.allCases, NginxServer.HTTPVersion.allCases)
    func `a body above the server's limit gets the answer that says so, and the session goes on`(
        _ source: Source,
        version: NginxServer.HTTPVersion
    ) async throws {
        let world = try World()
        let files = try TemporaryDirectory()
        let (server, url) = try await start(
            world,
            version,
            "client_max_body_size 100k; location /put/ { alias \(files.path)/; dav_methods PUT; }"
        )
        defer { server.stop() }
        let session = try world.session(version)
        func put(_ body: Data) async throws -> DataResponse<Data, SessionError> {
            let place = "\(url)put/file"
            let upload =
                switch source {
                case .data: session.upload(body, to: place, method: .put)
                case .file: session.upload(URL(filePath: try files.write(body, to: "body")), to: place, method: .put)
                case .stream: session.upload(InputStream(data: body), to: place, method: .put)
                }
            return await upload.serializingData(emptyResponseCodes: [201, 204]).response
        }
        #expect(try await put(Data(repeating: 1, count: 100_000)).status == 201)
        let refused = try await put(Data(repeating: 1, count: 8_000_000))
        #expect(refused.status == 413, "\(refused)")
        #expect(await session.request(url).serializingData().response.text == "hello")
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `a slow body ends by the time-out of the whole request, not by the idle one`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let world = try World()
        let files = try TemporaryDirectory()
        try files.write(Data(repeating: 1, count: 10_000_000), to: "file")
        let (server, url) = try await start(
            world,
            version,
            "location /slow/ { alias \(files.path)/; limit_rate 100k; }"
        )
        defer { server.stop() }
        let session = try world.session(version)
        let response = await session.request("\(url)slow/file", timeouts: Timeouts(idle: 20, request: 1))
            .serializingData().response
        guard case .timedOut(.request, after: 1) = response.error?.transportError?.code else {
            Issue.record("\(response)")
            return
        }
        #expect(await session.request(url).serializingData().response.text == "hello")
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `a connection that its server closes after a few requests is replaced, one after the other`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let world = try World()
        let (server, url) = try await start(world, version, "keepalive_requests 3;")
        defer { server.stop() }
        let session = try world.session(version)
        for number in 0..<10 {
            let method: HTTPMethod = number % 2 == 0 ? .get : .post
            let response = await session.request(url, method: method).serializingData().response
            #expect(response.text == "hello", "\(response)")
        }
        let log = try await server.accessLog(atLeast: 10)
        #expect(log.count == 10)
        #expect((3...5).contains(Set(log.map(\.connection)).count))
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `many requests at once outlive connections that their server closes after a few`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let world = try World()
        let (server, url) = try await start(world, version, "keepalive_requests 5;")
        defer { server.stop() }
        let session = try world.session(version)
        let texts = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let response = await session.request(url).serializingData().response
                    return response.text ?? "\(response)"
                }
            }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(Set(texts) == ["hello"])
        #expect(try await server.accessLog(atLeast: 100).count == 100)
    }

    enum Body: CaseIterable { case none, data, stream }

    /// The server's alert and its FIN are there before the next request.
    @Test(arguments: [(0, NginxServer.HTTPVersion.http1), (1, .http1), (1, .http2)], Body.allCases)
    func `a connection that its server has closed meanwhile takes no request with it`(
        _ row: (keepAlive: Int, version: NginxServer.HTTPVersion),
        body: Body
    ) async throws {
        let world = try World()
        let (server, url) = try await start(world, row.version, keepAlive: row.keepAlive, "")
        defer { server.stop() }
        let session = try world.session(row.version)
        for method in [HTTPMethod.get, .post, .put] {
            let request =
                switch method == .get ? .none : body {
                case .none: session.request(url, method: method)
                case .data: session.upload(Data("body".utf8), to: url, method: method)
                case .stream: session.upload(InputStream(data: Data("body".utf8)), to: url, method: method)
                }
            let response = await request.serializingData().response
            #expect(response.text == "hello", "\(response)")
            try await eventually { try server.status().active == 0 }
        }
        let log = try await server.accessLog(atLeast: 3)
        #expect(log.map(\.method) == ["GET", "POST", "PUT"])
        #expect(Set(log.map(\.connection)).count == 3)
    }

    /// HTTP/1.1: they wait for their turn; HTTP/2: they share one. nginx takes 128 streams at once.
    @Test(arguments: [(NginxServer.HTTPVersion.http1, 6), (.http2, 1)])
    func `requests at once share what connections there may be`(
        version: NginxServer.HTTPVersion,
        most: Int
    ) async throws {
        let world = try World()
        let files = try TemporaryDirectory()
        try files.write(Data(repeating: 7, count: 100_000), to: "file")
        let (server, url) = try await start(world, version, "location /files/ { alias \(files.path)/; }")
        defer { server.stop() }
        let session = try world.session(version) { $0.maximumConnectionsPerHost = 6 }
        let counts = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<100 {
                group.addTask { await session.request("\(url)files/file").serializingData().response.value?.count }
            }
            return await group.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        #expect(counts == [100_000])
        let log = try await server.accessLog(atLeast: 100)
        #expect(Set(log.map(\.connection)).count <= most)
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `request fields up to the server's limit arrive, larger ones get its answer`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let world = try World()
        let (server, url) = try await start(world, version, "large_client_header_buffers 4 8k;")
        defer { server.stop() }
        let session = try world.session(version)
        func status(_ size: Int, _ count: Int = 1) async -> DataResponse<Data, SessionError> {
            let fields = (0..<count).map { HTTPHeader(name: "X-\($0)", value: String(repeating: "a", count: size)) }
            return await session.request(url, headers: HTTPHeaders(fields)).serializingData().response
        }
        #expect(await status(7_000).status == 200)
        #expect(await status(5_000, 3).status == 200)
        // Over HTTP/2 the limit is for all of them together.
        for (size, count) in version == .http1 ? [(9_000, 1), (5_000, 10), (60_000, 1)] : [(5_000, 10), (60_000, 1)] {
            let response = await status(size, count)
            // Over HTTP/2 nginx may close the connection in place of an answer.
            let isLost = version == .http2 && response.error?.transportError?.code == .connectionLost
            #expect(response.status == 400 || isLost, "\(response)")
        }
        #expect(await session.request(url).serializingData().response.text == "hello")
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `a request field of 200 kilobytes arrives whole or is an error`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let world = try World()
        let (server, url) = try await start(
            world,
            version,
            "large_client_header_buffers 4 400k; location /echo { return 200 $http_x_long; }"
        )
        defer { server.stop() }
        let session = try world.session(version)
        let long = String(repeating: "a", count: 200_000)
        let response = await session.request("\(url)echo", headers: ["X-Long": long]).serializingData().response
        if version == .http1 {
            #expect(response.text == long, "\(response)")
        } else {
            // nghttp2 takes no field above 64 KB.
            #expect(response.error?.transportError != nil)
        }
        #expect(await session.request(url).serializingData().response.text == "hello")
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `response fields of many kilobytes arrive, and above the limit they are an error`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let world = try World()
        func fields(_ count: Int) -> String {
            (0..<count).map { "add_header X-\($0) \(String(repeating: "b", count: 3_000));" }.joined(separator: "\n")
        }
        let (server, url) = try await start(
            world,
            version,
            "location /many { \(fields(18)) return 200 many; } location /toomany { \(fields(90)) return 200 many; }"
        )
        defer { server.stop() }
        let session = try world.session(version)
        // A head above libcurl's buffer must not wait for a timer, the first of which is that of connecting, 10 seconds.
        let response = await session.request("\(url)many", timeouts: Timeouts(request: 8)).serializingData().response
        #expect(response.text == "many", "\(response)")
        #expect(response.headers["X-17"]?.count == 3_000)
        let refused = await session.request("\(url)toomany").serializingData().response
        #expect(refused.error?.transportError?.code == .responseTooLarge, "\(refused)")
        #expect(await session.request(url).serializingData().response.text == "hello")
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `a server that closes without an answer is a lost connection`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let world = try World()
        let (server, url) = try await start(world, version, "location /gone { return 444; }")
        defer { server.stop() }
        let session = try world.session(version)
        let response = await session.request("\(url)gone", method: .post).serializingData().response
        #expect(response.error?.transportError?.code == .connectionLost, "\(response)")
        #expect(await session.request(url).serializingData().response.text == "hello")
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `requests that come too fast get through when they are tried again`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let world = try World()
        let (server, url) = try await start(
            world,
            version,
            "location /few { limit_req zone=few; limit_req_status 429; try_files /dev/null @few; } "
                + "location @few { return 200 few; }",
            http: "limit_req_zone $binary_remote_addr zone=few:1m rate=20r/s;"
        )
        defer { server.stop() }
        let session = try world.session(version)
        let policy = RetryPolicy(retryLimit: 10, exponentialBackoffScale: 0.05)
        await withTaskGroup(of: DataResponse<Data, SessionError>.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    await session.request("\(url)few", interceptor: policy).validate().serializingData().response
                }
            }
            for await response in group { #expect(response.text == "few", "\(response)") }
        }
        #expect(try await server.accessLog(atLeast: 6).contains { $0.status == 429 })
    }
}
