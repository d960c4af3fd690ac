import Foundation
import FoundationNetworking
import Testing

@testable import LinchpinSession

@Suite struct ResponseValidationTests {
    @Test(arguments: [(199, false), (200, true), (204, true), (299, true), (300, false), (404, false), (500, false)])
    func `a status is accepted from 200 through 299`(_ status: Int, _ isAccepted: Bool) throws {
        let response = try response(status)
        let error = error { () throws(SessionError) in
            try ResponseValidation.checkStatus(of: response, acceptable: ResponseValidation.defaultStatusCodes)
        }
        #expect(error?.responseCode == (isAccepted ? nil : status))
        #expect((error?.isResponseValidationError ?? false) == !isAccepted)
        #expect(
            self.error { () throws(SessionError) in
                try ResponseValidation.checkStatus(of: response, acceptable: [status])
            } == nil
        )
    }

    enum Outcome: Sendable { case accepted, missing, refused }

    @Test(
        arguments: [
            ("application/json", ["application/json"], Outcome.accepted),
            ("application/json; charset=utf-8", ["application/json"], .accepted),
            ("Application/JSON", ["application/json"], .accepted),
            ("application/json", ["APPLICATION/json;q=0.9"], .accepted),
            ("text/html", ["application/json"], .refused), ("text/html", ["application/json", "text/*"], .accepted),
            ("application/json", ["text/*"], .refused), ("application/json", ["*/json"], .accepted),
            ("application/xml", ["*/json"], .refused), ("application/problem+json", ["application/json"], .refused),
            ("text/html", ["*/*"], .accepted), ("text/html", [], .refused), (nil, ["application/json"], .missing),
            (nil, ["*/*"], .accepted), (nil, ["text/html", "*/*;q=0.1"], .accepted),
            (";;", ["application/json"], .missing),
            ("JSON", ["application/json"], .missing), (";;", ["*/*"], .accepted), ("JSON", ["*/*"], .accepted),
            ("a/b/c", ["a/b"], .missing), ("/", ["*/json"], .missing), ("text /html", ["text/*"], .missing),
        ] as [(String?, [String], Outcome)]
    )
    func `a content type is compared without case and parameters`(
        _ type: String?,
        _ acceptable: [String],
        _ outcome: Outcome
    ) throws {
        let response = try response(contentType: type)
        let found = error { () throws(SessionError) in
            try ResponseValidation.checkContentType(of: response, bodyIsEmpty: false, acceptable: acceptable)
        }
        switch (outcome, found) {
        case (.accepted, nil): break
        case (.missing, .responseValidationFailed(.missingContentType(acceptable))?):
            #expect(found?.acceptableContentTypes == acceptable)
        case (.refused, .responseValidationFailed(.unacceptableContentType(acceptable, _))?):
            #expect(found?.acceptableContentTypes == acceptable)
            #expect(found?.responseContentType == type)
        default: Issue.record("\(String(describing: found))")
        }
        #expect(
            error { () throws(SessionError) in
                try ResponseValidation.checkContentType(of: response, bodyIsEmpty: true, acceptable: acceptable)
            } == nil
        )
    }

    @Test(
        arguments: [
            (nil, ["*/*"]), ("", ["*/*"]), ("text/html", ["text/html"]),
            ("text/html;q=0.5, */json ,", ["text/html;q=0.5", "*/json"]),
        ] as [(String?, [String])]
    )
    func `the request's Accept field says what is acceptable`(_ accept: String?, _ types: [String]) throws {
        var request = try URLRequest(url: "http://h", method: .get)
        request.setValue(accept, forHTTPHeaderField: "Accept")
        #expect(ResponseValidation.acceptableContentTypes(for: request) == types)
        #expect(ResponseValidation.acceptableContentTypes(for: nil) == ["*/*"])
    }

    @Test func `the caller's own error is the cause`() {
        struct Failure: Error {}
        let error = ResponseValidation.error(Failure())
        #expect(error.underlyingError is Failure)
        #expect(error.isResponseValidationError)
        #expect(ResponseValidation.error(SessionError.explicitlyCancelled).isExplicitlyCancelledError)
    }

    private func error(_ body: () throws(SessionError) -> Void) -> SessionError? {
        do throws(SessionError) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}
