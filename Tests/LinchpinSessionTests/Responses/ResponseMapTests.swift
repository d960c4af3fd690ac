import Foundation
import FoundationNetworking
import LinchpinSession
import Testing

@Suite struct ResponseMapTests {
    private struct Failure: Error {}

    private func data(_ result: Result<Int, SessionError>) throws -> DataResponse<Int, SessionError> {
        DataResponse(
            request: try URLRequest(url: "http://h", method: .get),
            response: try response(203),
            headers: ["A": "b"],
            data: Data([1]),
            result: result
        )
    }

    private func download(_ result: Result<Int, SessionError>) throws -> DownloadResponse<Int, SessionError> {
        DownloadResponse(
            request: try URLRequest(url: "http://u:s3cret@h/?t=s3cret", method: .get),
            response: try response(203),
            headers: ["Authorization": "s3cret"],
            fileURL: URL(filePath: "/f"),
            resumeData: Data([2]),
            result: result
        )
    }

    @Test func `a value is mapped and everything else stays`() throws {
        let mapped = try data(.success(1)).map { "\($0)" }
        #expect(mapped.value == "1")
        #expect(mapped.response?.statusCode == 203 && mapped.headers["a"] == "b" && mapped.data == Data([1]))
        #expect(mapped.request?.url?.host == "h")
        let other = try download(.success(1)).map { "\($0)" }
        #expect(other.value == "1")
        #expect(other.response?.statusCode == 203 && other.fileURL?.path == "/f" && other.resumeData == Data([2]))
    }

    @Test func `a failure is not mapped as a value, nor a value as a failure`() throws {
        #expect(try data(.failure(.explicitlyCancelled)).map { $0 + 1 }.error?.isExplicitlyCancelledError == true)
        #expect(try data(.failure(.explicitlyCancelled)).tryMap { $0 + 1 }.error is SessionError)
        #expect(try data(.failure(.explicitlyCancelled)).mapError { _ in Failure() }.error != nil)
        #expect(try data(.success(1)).mapError { _ in Failure() }.value == 1)
        #expect(try data(.success(1)).tryMapError { _ in Failure() }.value == 1)
        #expect(try download(.success(1)).mapError { _ in Failure() }.value == 1)
        #expect(
            try download(.failure(.explicitlyCancelled)).tryMapError { _ -> SessionError in throw Failure() }.error
                is Failure
        )
    }

    @Test func `what a closure throws is the error`() throws {
        #expect(try data(.success(1)).tryMap { _ -> Int in throw Failure() }.error is Failure)
        #expect(
            try data(.failure(.explicitlyCancelled)).tryMapError { _ -> SessionError in throw Failure() }.error
                is Failure
        )
        #expect(try download(.success(1)).tryMap { _ -> Int in throw Failure() }.error is Failure)
    }

    @Test func `a download shows no secret`() throws {
        let response = try download(.success(1))
        var dumped = ""
        dump(response, to: &dumped)
        for text in ["\(response)", dumped] {
            #expect(!text.contains("s3cret"))
            #expect(text.contains("/f") && text.contains("GET http://h/"))
        }
    }
}
