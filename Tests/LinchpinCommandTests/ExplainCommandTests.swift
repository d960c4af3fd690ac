import Foundation
import LinchpinTestSupport
import Testing

/// `linchpin explain`, as somebody runs it who wonders which policy applies.
@Suite struct ExplainCommandTests {
    private static let pin = "sha256/\(Data(repeating: 7, count: 32).base64EncodedString())"
    private static let other = "pin-sha256=\"\(Data(repeating: 8, count: 32).base64EncodedString())\""

    struct Document: Decodable {
        struct Entry: Decodable {
            let pattern: String
            let applies: Bool
            let reason: String
        }

        let host: String
        let port: Int?
        let outcome: String
        let pattern: String?
        let checked: String?
        let refusesPlainHTTP: Bool
        let entries: [Entry]
    }

    private func explain(_ arguments: [String]) async throws -> (ending: ChildProcess.Ending?, output: String) {
        let process = try ChildProcess(BuiltProgram.linchpin, ["explain"] + arguments, in: TemporaryDirectory())
        try await eventually(within: 60) { process.ending != nil }
        return (process.ending, process.output)
    }

    @Test func `the entry that applies is named, and the others with why not`() async throws {
        let (ending, output) = try await explain([
            "API.example.com:8443", "--entry", "*.example.com=\(Self.pin),\(Self.other)", "--entry",
            "api.example.com:8443=\(Self.pin)", "--entry", "unrelated.example", "--json",
        ])
        #expect(ending == .exited(0))
        let document = try JSONDecoder().decode(Document.self, from: Data(output.utf8))
        #expect(document.host == "api.example.com")
        #expect(document.port == 8_443)
        #expect(document.outcome == "entry")
        #expect(document.pattern == "api.example.com:8443")
        #expect(document.checked?.contains("one of 1 pinned keys") == true)
        #expect(document.refusesPlainHTTP)
        #expect(document.entries.map(\.pattern) == ["api.example.com:8443", "*.example.com"])
        #expect(document.entries.map(\.applies) == [true, false])
    }

    @Test func `a person gets a few lines`() async throws {
        let (ending, output) = try await explain(["a.b.example.com", "--entry", "**.example.com=\(Self.pin)"])
        #expect(ending == .exited(0))
        #expect(output.contains("the entry \"**.example.com\" is for example.com and every name below it"))
    }

    @Test func `a host without an entry is refused with 1, or left to the system with 0`() async throws {
        let entry = ["--entry", "a.example"]
        let refused = try await explain(["b.example"] + entry)
        #expect(refused.ending == .exited(1))
        #expect(refused.output.contains("no entry matches"))
        let system = try await explain(["b.example", "--allow-others"] + entry)
        #expect(system.ending == .exited(0))
        #expect(system.output.contains("the system's roots"))
    }

    private static let wrong: [(arguments: [String], words: String)] = [
        ([], "HOST is missing"), (["a.example", "b.example"], "one HOST at a time"), (["--jsn"], "unknown argument"),
        (["a.example", "--entry"], "--entry needs"), (["https://a.example/"], "scheme"), (["*.a.example"], "pattern"),
        (["a.example", "--entry", "*.com"], "public suffix"), (["a.example", "--entry", "b.example="], "it is empty"),
        (["a.example", "--entry", "b.example=sha1/x"], "the entry \"b.example\""),
        (["a.example", "--entry", "b.example=\(pin),sha256/AAAA"], "pin 2 of 2"),
        (["a.example", "--entry", "b.example", "--entry", "b.example"], "given twice"),
        (["a.example", "--entry", "b.example", "--entry", "B.example."], "the same host"),
    ]

    @Test(arguments: wrong.indices)
    func `wrong usage ends with 2 and says why`(index: Int) async throws {
        let (arguments, words) = Self.wrong[index]
        let (ending, output) = try await explain(arguments)
        #expect(ending == .exited(2))
        #expect(output.contains(words), "\(output)")
        #expect(output.contains("usage: linchpin explain"))
    }
}
