import Foundation
import FoundationNetworking
import Testing

@testable import LinchpinSession

@Suite struct ResponseSerializerTests {
    private struct Thing: Codable, Hashable { let a: Int }
    private struct Failure: Error {}
    private struct Failing: DataPreprocessor {
        func preprocess(_ data: Data) throws -> Data { throw Failure() }
    }

    private func request(_ method: HTTPMethod = .get) throws -> URLRequest {
        try URLRequest(url: "http://h", method: method)
    }

    private func reason(_ error: (any Error)?) -> SessionError.ResponseSerializationFailureReason? {
        guard case .responseSerializationFailed(let reason)? = error as? SessionError else { return nil }
        return reason
    }

    @Test(arguments: [
        (200, HTTPMethod.get, false), (204, .get, true), (205, .post, true), (200, .head, true), (304, .get, false),
        (404, .head, true), (202, .post, false),
    ])
    func `only some responses may be empty`(_ status: Int, _ method: HTTPMethod, _ isAllowed: Bool) throws {
        let (request, response) = (try request(method), try response(status))
        for data in [nil, Data()] {
            func serialize<S: ResponseSerializer>(_ serializer: S) -> Result<S.SerializedObject, SessionError> {
                serializer.result(request: request, response: response, data: data, error: nil)
            }
            guard isAllowed else {
                let errors: [SessionError?] = [
                    serialize(.data).failure, serialize(.string).failure, serialize(.json).failure,
                    serialize(.decodable(of: Thing.self)).failure, serialize(.decodable(of: Empty.self)).failure,
                ]
                for error in errors {
                    guard case .inputDataNilOrZeroLength? = reason(error) else {
                        Issue.record("\(String(describing: error))")
                        continue
                    }
                }
                continue
            }
            #expect(try serialize(.data).get() == Data())
            #expect(try serialize(.string).get() == "")
            #expect(try serialize(.json).get() is NSNull)
            #expect(try serialize(.decodable(of: Empty.self)).get() == .value)
            guard case .invalidEmptyResponse("Thing")? = reason(serialize(.decodable(of: Thing.self)).failure) else {
                Issue.record("a type without an empty value was made of nothing")
                continue
            }
        }
    }

    @Test func `what may be empty can be chosen`() throws {
        let serializer = DataResponseSerializer(emptyResponseCodes: [200], emptyRequestMethods: [])
        #expect(try serializer.serialize(request: request(), response: response(), data: nil, error: nil).isEmpty)
        let error = #expect(throws: SessionError.self) {
            try serializer.serialize(request: request(.head), response: response(204), data: nil, error: nil)
        }
        guard case .inputDataNilOrZeroLength? = reason(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an earlier error is thrown as it is`() throws {
        let data = Data("{\"a\":1}".utf8)
        #expect(throws: Failure.self) {
            try DataResponseSerializer().serialize(request: nil, response: nil, data: data, error: Failure())
        }
        #expect(throws: Failure.self) {
            try StringResponseSerializer().serialize(request: nil, response: nil, data: data, error: Failure())
        }
        #expect(throws: Failure.self) {
            try JSONResponseSerializer().serialize(request: nil, response: nil, data: data, error: Failure())
        }
        #expect(throws: Failure.self) {
            try DecodableResponseSerializer<Thing>().serialize(
                request: nil,
                response: nil,
                data: data,
                error: Failure()
            )
        }
        #expect(throws: Failure.self) {
            try DataResponseSerializer()
                .serializeDownload(request: nil, response: nil, fileURL: URL(filePath: "/"), error: Failure())
        }
        #expect(throws: Failure.self) {
            try URLResponseSerializer()
                .serializeDownload(request: nil, response: nil, fileURL: URL(filePath: "/"), error: Failure())
        }
        let result = DataResponseSerializer().result(
            request: nil,
            response: nil,
            data: data,
            error: .explicitlyCancelled
        )
        #expect(result.failure?.isExplicitlyCancelledError == true)
    }

    @Test func `another error than a session's is the cause of one`() throws {
        let data = Data("1".utf8)
        let result = DataResponseSerializer(dataPreprocessor: Failing())
            .result(request: nil, response: nil, data: data, error: nil)
        guard case .customSerializationFailed(let error)? = reason(result.failure) else {
            Issue.record("\(result)")
            return
        }
        #expect(error is Failure)
        #expect(result.failure?.underlyingError is Failure)
        #expect(result.failure?.isResponseSerializationError == true)
    }

    @Test(arguments: [
        (")]}',\n[1]", "[1]"), (")]}',[1]", ")]}',[1]"), ("[1]", "[1]"), (")]}',\n", ""), (")]}'", ")]}'"),
    ])
    func `a prefix against scripts is taken away`(_ body: String, _ expected: String) throws {
        let data = try GoogleXSSIPreprocessor().preprocess(Data(body.utf8))
        #expect(data == Data(expected.utf8))
        #expect(data.startIndex == 0)
        #expect(try PassthroughPreprocessor().preprocess(Data(body.utf8)) == Data(body.utf8))
    }

    @Test(arguments: [
        ("null", true), ("1", true), ("\"x\"", true), ("[]", true), (" ", false), ("{", false), ("\u{FEFF}x", false),
    ])
    func `JSON is any value of JSON`(_ body: String, _ isJSON: Bool) throws {
        let result = JSONResponseSerializer()
            .result(request: nil, response: nil, data: Data(body.utf8), error: nil)
        if isJSON {
            _ = try result.get()
        } else {
            guard case .jsonSerializationFailed? = reason(result.failure) else {
                Issue.record("\(result)")
                return
            }
        }
    }

    @Test func `JSON is cast to the types that people expect`() throws {
        let body = Data(#"{"a":[1,true,null,"x",0.5,{"k":"v"}],"n":18446744073709551615}"#.utf8)
        let value = try JSONResponseSerializer().serialize(request: nil, response: nil, data: body, error: nil)
        let object = try #require(value as? [String: Any])
        #expect(object["n"] as? UInt64 == .max)
        let array = try #require(object["a"] as? [Any])
        #expect(array[0] as? Int == 1)
        #expect(array[1] as? Bool == true)
        #expect(array[2] is NSNull)
        #expect(array[3] as? String == "x")
        #expect(array[4] as? Double == 0.5)
        #expect(array[5] as? [String: String] == ["k": "v"])
    }

    @Test func `JSON is UTF-8 whatever the charset says`() throws {
        let response = try response(contentType: "application/json; charset=gbk")
        let value = try DecodableResponseSerializer<[String]>()
            .serialize(request: nil, response: response, data: Data("[\"é\"]".utf8), error: nil)
        #expect(value == ["é"])
        let result = DecodableResponseSerializer<[String]>()
            .result(request: nil, response: response, data: Data([0x5B, 0x22, 0xE9, 0x22, 0x5D]), error: nil)
        guard case .decodingFailed? = reason(result.failure) else {
            Issue.record("\(result)")
            return
        }
    }

    @Test func `a property list is decoded by its decoder`() throws {
        let data = try PropertyListEncoder().encode(Thing(a: 5))
        let serializer = DecodableResponseSerializer<Thing>(decoder: PropertyListDecoder())
        #expect(try serializer.serialize(request: nil, response: nil, data: data, error: nil) == Thing(a: 5))
    }

    @Test func `a downloaded file is read like a body`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "linchpin-\(UUID().uuidString)")
        try Data("{\"a\":1}".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        func download<S: DownloadResponseSerializerProtocol>(
            _ serializer: S,
            _ url: URL?
        ) -> Result<S.SerializedObject, SessionError> {
            serializer.result(request: nil, response: nil, fileURL: url, error: nil)
        }
        #expect(try download(DecodableResponseSerializer<Thing>(), file).get() == Thing(a: 1))
        #expect(try download(StringResponseSerializer(), file).get() == "{\"a\":1}")
        #expect(try download(.url, file).get() == file)
        for error in [download(DataResponseSerializer(), nil).failure, download(.url, nil).failure] {
            guard case .inputFileNil? = reason(error) else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        let missing = file.appendingPathExtension("missing")
        guard case .inputFileReadFailed(missing)? = reason(download(DataResponseSerializer(), missing).failure) else {
            Issue.record("a missing file was read")
            return
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
