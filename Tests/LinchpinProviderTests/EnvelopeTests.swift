import Dispatch
import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Testing

@Suite struct EnvelopeTests {
    struct Book: Decodable, Equatable, Sendable { var title: String }

    private func library(
        _ body: String,
        status: Int = 200,
        format: EnvelopeFormat = EnvelopeFormat()
    ) -> EnvelopeProvider<Call> {
        let stubs = StubbedSession { _ in .networkResponse(status, Data(body.utf8)) }
        return EnvelopeProvider(EndpointProvider(answeredBy: stubs), format: format)
    }

    private let call = Call("http://h")

    @Test(
        arguments: [
            (#"{"code":200,"message":"SUCCESS","data":{"title":"Ulysses"}}"#, EnvelopeFormat()),
            (#"{"code":"0","data":{"title":"Ulysses"}}"#, EnvelopeFormat()),
            (
                #"{"status":"OK","data":null,"result":{"title":"Ulysses"}}"#,
                EnvelopeFormat(codeKey: "status", successCodes: ["OK"], dataKeys: ["data", "result"])
            ),
            (
                #"{"success":true,"payload":{"title":"Ulysses"}}"#,
                EnvelopeFormat(codeKey: "success", successCodes: ["true"], dataKeys: ["payload"])
            ),
            (#"{"data":{"title":"Ulysses"}}"#, EnvelopeFormat(codeKey: nil)),
        ]
    )
    func `data is unwrapped by the format`(_ body: String, _ format: EnvelopeFormat) async throws {
        let book = try await library(body, format: format).request(call, as: Book.self)
        #expect(book == Book(title: "Ulysses"))
    }

    @Test(arguments: [200, 400, 500])
    func `what the API calls an error is a typed error, whatever the status`(_ status: Int) async {
        let body = #"{"code":"E17","message":"no such book","data":"of another kind"}"#
        let error = await #expect(throws: EnvelopeError.self) {
            try await library(body, status: status).request(call, as: Book.self)
        }
        #expect(error?.code == "E17")
        #expect(error?.code.number == nil)
        #expect(error?.message == "no such book")
        #expect(error?.localizedDescription == "no such book")
        #expect(error?.response.statusCode == status)
        await #expect(throws: EnvelopeError.self) { try await library(body, status: status).list(call, of: Book.self) }
    }

    @Test(arguments: [
        (#"{"code":0,"data":{"title":"x"}}"#, 500), ("<html>", 502), ("{}", 404), ("", 500),
    ])
    func `a refusing status without the API's own error is one`(_ body: String, _ status: Int) async {
        let error = await #expect(throws: ProviderError.self) {
            try await library(body, status: status).request(call, as: Book.self)
        }
        guard case .statusCode = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"code":{}}"#, #"{"code":1.5}"#, #"{"code":0}"#, #"{"code":0,"data":null}"#,
        #"{"code":0,"data":{"name":"x"}}"#, #"{"message":"no code","data":{"title":"x"}}"#,
    ])
    func `what is no such envelope is an error with the response`(_ body: String) async {
        let error = await #expect(throws: ProviderError.self) { try await library(body).request(call, as: Book.self) }
        guard case .objectMapping(_, let response) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(response.data == Data(body.utf8))
    }

    @Test(arguments: [#"{"code":0}"#, #"{"code":0,"data":null}"#])
    func `no data is no error where none is asked for`(_ body: String) async throws {
        #expect(try await library(body).request(call, as: Book?.self) == nil)
        #expect(try await library(body).request(call, as: NoData.self) == NoData())
        #expect(try await library(body).list(call, of: Book.self).data.isEmpty)
    }

    @Test func `the caller's decoder is used`() async throws {
        struct Loan: Decodable, Sendable { var dueDate: Date }
        let stubs = StubbedSession { _ in
            .networkResponse(200, Data(#"{"err_code":0,"data":{"due_date":"2020-01-02T03:04:05Z"}}"#.utf8))
        }
        let library = EnvelopeProvider<Call>(
            EndpointProvider(answeredBy: stubs),
            format: EnvelopeFormat(codeKey: "errCode")
        ) {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .iso8601
            return decoder
        }
        #expect(try await library.request(call, as: Loan.self).dueDate.timeIntervalSince1970 == 1_577_934_245)
    }

    @Test(arguments: [
        #"{"code":0,"data":{"data":[{"title":"a"}],"total":7,"pages":4,"size":2,"page":1,"next":2}}"#,
        #"{"code":0,"data":{"data":[{"title":"a"}],"total":"7","pages":"4","size":"2","page":"1","next":"2"}}"#,
        #"{"code":0,"data":[{"title":"a"}],"total":7,"pages":4,"size":2,"page":1,"next":2}"#,
    ])
    func `a page's numbers are beside its items`(_ body: String) async throws {
        let page = try await library(body).list(call, of: Book.self)
        #expect(page.data == [Book(title: "a")])
        #expect([page.total, page.pages, page.size, page.page, page.next] == [7, 4, 2, 1, 2])
    }

    /// What a server says of the pages beside the items of one.
    struct Numbers: Sendable { let text: @Sendable (Int) -> String }

    @Test(
        arguments: [
            // By next, by the number of pages, by the number of items; and without any of it.
            (Numbers { $0 < 3 ? #""next":\#($0 + 1)"# : #""next":null"# }, 3),
            (Numbers { _ in #""pages":3"# }, 3),
            (Numbers { _ in #""total":5,"size":2"# }, 3),
            (Numbers { _ in #""total":0,"size":0"# }, 1),
            (Numbers { _ in #""other":1"# }, 1),
            // Whatever a server says, it is only a number.
            (Numbers { #""total":\#(Int.max),"size":\#($0 < 3 ? 2 : Int.max)"# }, 3),
            (Numbers { #""total":\#($0 < 3 ? Int.max : Int.min),"size":1"# }, 3),
            (Numbers { #""pages":\#($0 < 3 ? Int.max : Int.min)"# }, 3),
            // A server that names the same page again does not keep the client for ever.
            (Numbers { _ in #""next":2"# }, 2),
        ]
    )
    func `all pages are asked for until there is no other`(
        _ numbers: Numbers,
        _ count: Int
    ) async throws {
        let stubs = StubbedSession { request in
            let page = Int(request.url?.lastPathComponent ?? "") ?? 0
            return .networkResponse(200, Data(#"{"code":0,"data":{"data":[\#(page)],\#(numbers.text(page))}}"#.utf8))
        }
        let library = EnvelopeProvider<Call>(EndpointProvider(answeredBy: stubs))
        var items: [Int] = []
        for try await page in library.pages(of: Int.self, { number in Call("http://h") { $0.path = "\(number)" } }) {
            items += page.data
        }
        #expect(items == Array(1...count))
        #expect(stubs.requests.count == count)
    }

    @Test(
        arguments: [
            Numbers { _ in #""pages":3"# }, Numbers { _ in #""total":5,"size":2"# },
            Numbers { $0 < 2 ? #""next":\#($0 + 1)"# : #""next":null"# },
        ]
    )
    func `pages that begin with 0 end one number earlier`(_ numbers: Numbers) async throws {
        let stubs = StubbedSession { request in
            let page = Int(request.url?.lastPathComponent ?? "") ?? -1
            return page < 3
                ? .networkResponse(200, Data(#"{"code":0,"data":{"data":[\#(page)],\#(numbers.text(page))}}"#.utf8))
                : .networkResponse(404, Data())
        }
        let library = EnvelopeProvider<Call>(EndpointProvider(answeredBy: stubs))
        var items: [Int] = []
        for try await page in library.pages(
            of: Int.self,
            from: 0,
            { number in Call("http://h") { $0.path = "\(number)" } }
        ) { items += page.data }
        #expect(items == [0, 1, 2])
    }

    @Test(arguments: [Int.max, .min])
    func `a page may have any number`(_ start: Int) async throws {
        let library = library(#"{"code":0,"data":[1],"pages":\#(Int.max)}"#)
        var pages = library.pages(of: Int.self, from: start) { _ in call }.makeAsyncIterator()
        #expect(try await pages.next()?.data == [1])
        #expect((try await pages.next() == nil) == (start == .max))
    }

    @Test func `pages end with the first error`() async throws {
        let stubs = StubbedSession { request in
            request.url?.lastPathComponent == "1"
                ? .networkResponse(200, Data(#"{"code":0,"data":[1],"next":2}"#.utf8))
                : .networkResponse(200, Data(#"{"code":9,"message":"no more"}"#.utf8))
        }
        let library = EnvelopeProvider<Call>(EndpointProvider(answeredBy: stubs))
        var pages = library.pages(of: Int.self) { number in Call("http://h") { $0.path = "\(number)" } }
            .makeAsyncIterator()
        #expect(try await pages.next()?.data == [1])
        await #expect(throws: EnvelopeError.self) { try await pages.next() }
        #expect(try await pages.next()?.data == nil)
    }

    @Test(arguments: [
        (#"{"code":0,"data":{"title":"x"}}"#, 200, "success x"),
        (#"{"code":7,"message":"m"}"#, 200, "error 7"),
        ("<html>", 502, "failure"),
    ])
    func `one of three closures is called`(_ body: String, _ status: Int, _ expected: String) async throws {
        let results = Recorder<String>()
        library(body, status: status).request(
            call,
            as: Book.self,
            callbackQueue: DispatchQueue(label: "callbacks"),
            success: { results.record("success \($0.title)") },
            error: { results.record("error \($0.code)") },
            failure: { _ in results.record("failure") }
        )
        #expect(try await eventually { results.events == [expected] })
    }
}
