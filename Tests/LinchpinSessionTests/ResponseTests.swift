import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

@Suite struct ResponseTests {
    private struct Value: Codable, Equatable, Sendable {
        let name: String
    }

    @Test func `text is read in the charset that the response names`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .init(
                headers: [.init("Content-Type", "text/plain; charset=gb18030")],
                body: Data([0xC4, 0xE3, 0xBA, 0xC3])
            )
        }
        #expect(await Session().request(server.url).serializingString().response.value == "你好")
    }

    @Test func `a value is decoded, and what cannot be is an error that keeps the body`() async throws {
        let server = try LocalTLSServer.plain { $0.path == "/" ? .json(#"{"name":"a"}"#) : .json("[]") }
        let session = Session()
        #expect(try await session.request(server.url).serializingDecodable(Value.self).value == Value(name: "a"))
        let other = await session.request(server.url(host: "localhost", path: "/x")).serializingDecodable(Value.self)
            .response
        guard case .responseSerializationFailed(.decodingFailed) = other.error else {
            Issue.record("\(String(describing: other.error))")
            return
        }
        #expect(other.data == Data("[]".utf8))
    }

    @Test(arguments: [(200, "GET", false), (204, "GET", true), (205, "GET", true), (200, "HEAD", true)])
    func `an empty body is an error where there should be one`(
        _ status: Int,
        _ method: String,
        isFine: Bool
    ) async throws {
        let server = try LocalTLSServer.plain { _ in .init(status: status) }
        let request = Session().request(server.url, method: HTTPMethod(rawValue: method))
        let response = await request.serializingData().response
        if isFine {
            #expect(response.value == Data())
        } else {
            guard case .responseSerializationFailed(.inputDataNilOrZeroLength) = response.error else {
                Issue.record("\(String(describing: response.error))")
                return
            }
        }
    }

    @Test(arguments: [(199 + 1, true), (299, true), (300, false), (404, false), (500, false)])
    func `validate accepts a success only, and keeps the body of an error`(_ status: Int, isFine: Bool) async throws {
        let server = try LocalTLSServer.plain { _ in .text("why", status: status) }
        let response = await Session().request(server.url).validate().serializingString().response
        #expect((response.value == "why") == isFine)
        #expect(response.error?.responseCode == (isFine ? nil : status))
        #expect(response.data == Data("why".utf8))
    }

    @Test func `a content type that is not accepted is an error`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("x") }
        let session = Session()
        let request = session.request(server.url, headers: ["Accept": "application/json"])
        let response = await request.validate().serializingData().response
        #expect(response.error?.acceptableContentTypes == ["application/json"])
        #expect(response.error?.responseContentType == "text/plain")
        let other = await session.request(server.url).validate(contentType: ["text/*"]).serializingData().response
        #expect(other.error == nil)
    }

    @Test func `checks run in their order, and the first error stands`() async throws {
        struct Refusal: Error {}
        let server = try LocalTLSServer.plain { _ in .text("x", status: 404) }
        let response = await Session().request(server.url)
            .validate { _, _, _ in .failure(Refusal()) }
            .validate()
            .serializingData().response
        guard case .responseValidationFailed(.customValidationFailed(let error)) = response.error else {
            Issue.record("\(String(describing: response.error))")
            return
        }
        #expect(error is Refusal)
    }

    @Test func `a download is validated as well, and its file is kept`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("why", status: 404) }
        let response = await Session().download(server.url).validate().serializingString().response
        #expect(response.error?.responseCode == 404)
        let file = try #require(response.fileURL)
        #expect(try Data(contentsOf: file) == Data("why".utf8))
        try FileManager.default.removeItem(at: file)
    }

    @Test func `metrics tell the connection, its TLS and what was transferred`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) {
            $0.path == "/" ? .redirect(to: "/next") : .text("hello")
        }
        let session = Session(serverTrustManager: try world.manager())
        let first = try #require(await session.get(server.url).metrics)
        #expect(first.redirectCount == 1)
        #expect(first.isReusedConnection)
        let metrics = try #require(await session.get(server.url(host: "localhost", path: "/next")).metrics)
        #expect(metrics.isReusedConnection)
        #expect(metrics.tls == nil && metrics.connect == nil && metrics.nameLookup == nil)
        #expect(metrics.tlsVersion == "TLSv1.3")
        #expect(metrics.tlsCipher?.hasPrefix("TLS_") == true)
        #expect(metrics.networkProtocolName == "http/1.1")
        #expect(metrics.responseBodyBytesReceived == 5)
        #expect(metrics.remoteAddress == "127.0.0.1:\(server.port)")
        #expect(metrics.peerCertificates.first == world.identity.certificate)
        let fresh = try #require(
            await Session(serverTrustManager: try world.manager()).get(server.url(host: "localhost", path: "/next"))
                .metrics
        )
        #expect(!fresh.isReusedConnection)
        #expect(try #require(fresh.tls) > 0)
        #expect(try #require(fresh.connect) >= 0)
        #expect(fresh.total >= (fresh.tls ?? 0))
    }

    @Test func `a multipart form arrives with its parts`() async throws {
        let server = try LocalTLSServer.plain { .init(body: $0.body) }
        let directory = try TemporaryDirectory()
        let file = URL(filePath: try directory.write("content of the file", to: "näme.txt"))
        let upload = Session().upload(
            multipartFormData: { form in
                form.append(Data("value".utf8), withName: "field")
                form.append(file, withName: "file")
            },
            to: server.url
        )
        let text = try await upload.serializingString().value
        #expect(text.contains("name=\"field\"\r\n\r\nvalue\r\n"))
        #expect(text.contains("filename=\"näme.txt\""))
        #expect(text.contains("content of the file"))
        let request = try #require(server.log.requests.first)
        #expect(request.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(request.header("Content-Length") == "\(text.utf8.count)")
    }

    @Test func `a form with a stream arrives, and one with a fault is not sent`() async throws {
        let server = try LocalTLSServer.plain { .init(body: $0.body) }
        let session = Session()
        let good = session.upload(
            multipartFormData: {
                $0.append(
                    InputStream(data: Data("streamed".utf8)),
                    withLength: 8,
                    name: "s",
                    fileName: "s",
                    mimeType: "a/b"
                )
            },
            to: server.url
        )
        #expect(try await good.serializingString().value.contains("streamed"))
        let bad = session.upload(
            multipartFormData: { $0.append(URL(filePath: "/nowhere/file.txt"), withName: "f") },
            to: server.url
        )
        #expect(await bad.serializingString().response.error?.isMultipartEncodingError == true)
        #expect(server.log.requests.count == 1)
    }

    @Test func `parameters of a type of the caller's go to the query, or to the body`() async throws {
        let server = try LocalTLSServer.plain { .text($0.target + " " + String(decoding: $0.body, as: UTF8.self)) }
        let session = Session()
        let get = session.request(server.url, parameters: Value(name: "a b"))
        #expect(try await get.serializingString().value == "/?name=a%20b ")
        let post = session.request(
            server.url,
            method: .post,
            parameters: Value(name: "a b"),
            encoder: JSONParameterEncoder.default
        )
        #expect(try await post.serializingString().value == #"/ {"name":"a b"}"#)
    }

    @Test func `a request is shown as a curl command without its secrets`() async throws {
        let server = try LocalTLSServer.plain()
        let request = Session().request(server.url, headers: [.authorization(bearerToken: "s3cret")])
        _ = await request.serializingData().response
        #expect(!request.cURLDescription().contains("s3cret"))
        #expect(request.cURLDescriptionShowingSecrets().contains("s3cret"))
        #expect(!"\(request)".contains("s3cret"))
    }
}
