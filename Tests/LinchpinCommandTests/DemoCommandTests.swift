import Foundation
import LinchpinTestSupport
import Testing

/// `linchpin demo`, as a newcomer runs it.
@Suite struct DemoCommandTests {
    struct Document: Decodable {
        struct Row: Decodable {
            let name: String
            let expected: String
            let happened: String
            let reason: String
            let httpBytes: Int
            let ok: Bool
        }

        let rows: [Row]
    }

    private func demo(_ arguments: String...) async throws -> (ending: ChildProcess.Ending?, output: String) {
        let process = try ChildProcess(BuiltProgram.linchpin, ["demo"] + arguments, in: TemporaryDirectory())
        try await eventually(within: 60) { process.ending != nil }
        return (process.ending, process.output)
    }

    @Test func `every row is what it should be, and no refused server saw a byte`() async throws {
        let (ending, output) = try await demo("--json")
        #expect(ending == .exited(0))
        let rows = try JSONDecoder().decode(Document.self, from: Data(output.utf8)).rows
        #expect(rows.count >= 14)
        for row in rows {
            #expect(row.ok, "\(row)")
            #expect(row.happened == row.expected)
            #expect(!row.reason.isEmpty)
            if row.expected.hasPrefix("refused") { #expect(row.httpBytes == 0, "\(row)") }
            if row.expected.hasPrefix("accepted") { #expect(row.httpBytes > 0, "\(row)") }
        }
        #expect(rows.contains { $0.expected.hasPrefix("accepted") })
        #expect(rows.contains { $0.expected == "time-out" })
    }

    @Test func `a wrong pin in an accepting row ends with 1`() async throws {
        let wrong = "sha256/\(Data(repeating: 9, count: 32).base64EncodedString())"
        let (ending, output) = try await demo("--json", "--pin", wrong)
        #expect(ending == .exited(1))
        let rows = try JSONDecoder().decode(Document.self, from: Data(output.utf8)).rows
        #expect(rows.contains { !$0.ok && $0.happened == "refused: pinMismatch" && $0.httpBytes == 0 })
    }

    @Test func `a person gets a table`() async throws {
        let (ending, output) = try await demo()
        #expect(ending == .exited(0))
        #expect(output.contains("HTTP bytes"))
        #expect(output.contains("rows are as they should be"))
    }

    @Test(arguments: [["--pin"], ["--pin", "sha256/AAAA"], ["--pin", "x"], ["--jsn"], ["extra"]])
    func `wrong usage ends with 2 and says why`(_ arguments: [String]) async throws {
        let process = try ChildProcess(BuiltProgram.linchpin, ["demo"] + arguments, in: TemporaryDirectory())
        try await eventually(within: 60) { process.ending != nil }
        #expect(process.ending == .exited(2))
        #expect(process.output.contains("usage: linchpin demo"))
    }
}
