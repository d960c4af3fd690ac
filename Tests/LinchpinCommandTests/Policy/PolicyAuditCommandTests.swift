import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// `linchpin policy audit` against servers on loopback.
@Suite struct PolicyAuditCommandTests {
    private let world: PolicyToolWorld
    private let identity: ServerIdentity
    private let server: LocalTLSServer

    init() throws {
        world = try PolicyToolWorld()
        identity = try world.root.issue(
            [.dns("localhost"), .dns("a.example.com"), .ip("127.0.0.1")],
            validity: .lasting(90 * 86_400)
        )
        server = try LocalTLSServer(identity: identity)
    }

    private var host: String { "localhost:\(server.port)" }

    private func entry(_ pins: [PublicKeyPin]? = nil, _ more: String = "") throws -> String {
        let pins = try pins ?? [identity.pin, PublicKeyPin(PolicyToolWorld.seven)]
        let texts = pins.map { "\"\($0)\"" }
        return #"{"pins": [\#(texts.joined(separator: ", "))], "roots": ["root.pem"]\#(more)}"#
    }

    private func audit(_ hosts: [String: String], _ more: [String] = []) async throws -> PolicyToolWorld.Answer {
        try await world.policy(["audit", world.write(hosts: hosts)] + more)
    }

    private func row(_ hosts: [String: String], _ more: [String] = []) async throws -> (Int32?, [String: Any]) {
        let answer = try await audit(hosts, ["--json"] + more)
        let rows = try #require(try answer.json()["hosts"] as? [[String: Any]])
        guard case .exited(let code) = answer.ending else { return (nil, [:]) }
        return (code, try #require(rows.first))
    }

    @Test func `a host that is well is reported in full`() async throws {
        let (code, row) = try await row([host: try entry()])
        #expect(code == 0, "\(row)")
        #expect(row["status"] as? String == "well")
        #expect(row["outcome"] as? String == "accepted")
        #expect(row["matchedPins"] as? [String] == [identity.pin.description])
        #expect(row["certificateDays"] as? Int == 89)
        #expect(row["backup"] as? String == "offline")
        #expect(row["backupPins"] as? [String] == [PolicyToolWorld.seven])
        #expect(row["revocation"] as? String == "not asked")
        #expect(row["transparency"] as? String == "not asked (0 timestamps in the certificate)")
        let chain = try #require(row["chain"] as? [[String: Any]])
        #expect(chain.map { $0["isPinned"] as? Bool } == [true, false])
        #expect(row["isValidated"] as? Bool == true)
        #expect(server.log.requests.map(\.method) == ["HEAD"])
    }

    @Test func `what ends soon ends the audit with 2`() async throws {
        let (code, row) = try await row([host: try entry()], ["--warn-days", "90"])
        #expect(code == 2)
        #expect(row["status"] as? String == "expiring")
        #expect(try await self.row([host: try entry()], ["--warn-days", "88"]).0 == 0)
        let day = Date().addingTimeInterval(5 * 86_400).rfc3339.prefix(10)
        let pins = try entry(nil, #", "expiration": {"date": "\#(day)", "afterwards": "refuse"}"#)
        let (soon, expiring) = try await self.row([host: pins])
        #expect(soon == 2)
        #expect(expiring["pinDays"] as? Int == 4)
        #expect(try await self.row([host: pins], ["--warn-days", "3"]).0 == 0)
    }

    @Test func `pins that have expired and fall back end it with 2`() async throws {
        let more = #", "expiration": {"date": "2020-01-31", "afterwards": "fallBackToDefaultValidation"}"#
        let (code, row) = try await row([host: try entry(nil, more)])
        #expect(code == 2)
        #expect(row["notices"] as? [String] == ["pinsExpired"])
    }

    @Test func `a refused host ends the audit with 1, whatever else expires`() async throws {
        let strangers = try [PolicyToolWorld.seven, PolicyToolWorld.eight].map { try PublicKeyPin($0) }
        let (code, row) = try await row([host: try entry(strangers)], ["--warn-days", "90"])
        #expect(code == 1)
        #expect(row["status"] as? String == "refused")
        #expect(row["outcome"] as? String == "pinMismatch")
        #expect(server.log.requests.isEmpty)
        let (reported, only) = try await self.row([host: try entry(strangers, #", "onMismatch": "reportOnly""#)])
        #expect(reported == 1)
        #expect(only["outcome"] as? String == "accepted")
        #expect(only["notices"] as? [String] == ["mismatchReportedOnly"])
        let (foreign, unknown) = try await self.row([host: #"{"roots": "system"}"#])
        #expect(foreign == 1)
        #expect(unknown["outcome"] as? String == "noAnchor")
        #expect(unknown["isValidated"] as? Bool == false)
        #expect((unknown["chain"] as? [Any])?.isEmpty == false)
    }

    @Test func `a host that cannot be reached ends the audit with 1`() async throws {
        let closed = try LocalTLSServer(identity: identity)
        closed.stop()
        let (code, row) = try await row(["localhost:\(closed.port)": try entry()])
        #expect(code == 1)
        #expect(row["outcome"] as? String == "unreachable")
        #expect(row["backup"] as? String == "unknown")
    }

    @Test func `pins that are all in the chain leave no backup`() async throws {
        let pins = [identity.pin, world.root.certificate.publicKeyPin]
        let (code, row) = try await row([host: try entry(pins)])
        #expect(code == 0)
        #expect(row["backup"] as? String == "missing")
        #expect(row["backupPins"] as? [String] == [])
        #expect(row["notices"] as? [String] == ["noBackupPin"])
    }

    @Test func `a wildcard is asked by the names that are given`() async throws {
        let hosts = ["*.example.com": try entry()]
        let (idle, unasked) = try await row(hosts)
        #expect(idle == 0)
        #expect(unasked["status"] as? String == "unasked")
        let named = ["--host", "a.example.com:\(server.port)"]
        let (code, row) = try await row(hosts, named + ["--resolve", "a.example.com:\(server.port):127.0.0.1"])
        #expect(code == 0)
        #expect(row["host"] as? String == "a.example.com")
        #expect(row["pattern"] as? String == "*.example.com")
        #expect(row["status"] as? String == "well")
    }

    @Test func `what is known of revocation is reported`() async throws {
        let asking = #", "revocation": {"networkAccess": false}"#
        let (code, row) = try await row([host: try entry(nil, asking)])
        #expect(code == 0)
        #expect(row["revocation"] as? String == "nobody could say")
        let demanding = #", "revocation": {"networkAccess": false, "requirePositiveResponse": true}"#
        let (refused, unknown) = try await self.row([host: try entry(nil, demanding)])
        #expect(refused == 1)
        #expect(unknown["revocation"] as? String == "revocationUnknown")
    }

    @Test func `what an authority says of revocation is reported`() async throws {
        let authority = try RevokingAuthority()
        let responder = try authority.responder()
        let identity = try authority.server(responder: "http://127.0.0.1:\(responder.port)/", list: nil)
        let server = try LocalTLSServer(identity: identity)
        try world.directory.write(authority.authority.certificate.pem, to: "revoking.pem")
        let entry =
            #"{"roots": ["revoking.pem"], "revocation": {"methods": ["ocsp"], "requirePositiveResponse": true}}"#
        let hosts = ["localhost:\(server.port)": entry]
        try await authority.enter(identity.certificate)
        let (good, row) = try await row(hosts, ["--warn-days", "3"])
        #expect(good == 0, "\(row)")
        #expect(row["revocation"] as? String == "not revoked")
        try await authority.revoke(identity.certificate)
        let (code, revoked) = try await self.row(hosts, ["--warn-days", "3"])
        #expect(code == 1)
        #expect(revoked["outcome"] as? String == "revoked")
        #expect(revoked["revocation"] as? String == "revoked")
    }

    @Test func `what is known of transparency is reported`() async throws {
        let log = try LocalTransparencyLog()
        let key = log.log.publicKey.der.base64EncodedString()
        try world.directory.write("enabled_logs = a\n[a]\ndescription = A\nkey = \(key)\n", to: "logs.cnf")
        let logged = try world.root.issue(validity: .lasting(90 * 86_400), loggedBy: [log])
        let other = try LocalTLSServer(identity: logged)
        let more = #", "transparency": {"logs": "logs.cnf", "minimumLogs": 1}"#
        let pins = [logged.pin, try PublicKeyPin(PolicyToolWorld.seven)]
        let (code, row) = try await row(["localhost:\(other.port)": try entry(pins, more)])
        #expect(code == 0, "\(row)")
        #expect(row["transparency"] as? String == "enough logs (1 timestamp in the certificate)")
        let (refused, few) = try await self.row([host: try entry(nil, more)])
        #expect(refused == 1)
        #expect(few["transparency"] as? String == "too few logs")
    }

    @Test func `a person gets a table`() async throws {
        let answer = try await audit([host: try entry(), "*.example.com": "{}"])
        #expect(answer.ending == .exited(0))
        for words in [host, "in 89 days", "off-line", "leaf", "unasked", "1 well, 1 not asked"] {
            #expect(answer.output.contains(words), "\(words): \(answer.output)")
        }
    }

    // MARK: The page

    @Test func `the page has everything in itself and escapes what others wrote`() async throws {
        let hostile = try world.root.issue(
            commonName: #"<img src=x onerror="alert('1')">&"#,
            validity: .lasting(90 * 86_400)
        )
        let other = try LocalTLSServer(identity: hostile)
        let pins = [hostile.pin, try PublicKeyPin(PolicyToolWorld.seven)]
        let name = #"<b>"policy"&'.json"#
        try world.write(hosts: ["localhost:\(other.port)": try entry(pins), "*.example.com": "{}"], to: name)
        let answer = try await world.policy(["audit", world.path(name), "--html"])
        #expect(answer.ending == .exited(0))
        let page = answer.output
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        #expect(page.contains("&lt;img src=x"))
        #expect(page.contains("&lt;b&gt;&quot;policy&quot;&amp;&#39;.json"))
        for reference in ["<img", "<b>", "<script", "<link", "src=\"", "href=", "url(", "@import", "http:", "https:"] {
            #expect(!page.contains(reference), "\(reference)")
        }
        #expect(page.contains("prefers-color-scheme: dark"))
        #expect(page.contains("default-src 'none'"))
        #expect(page.contains("width:") && page.contains("Pin that matched"))
    }

    // MARK: Usage

    @Test(arguments: [
        ([], "FILE is missing"), (["--json", "--html", "a"], "give one"), (["a", "--warn-days", "x"], "not a number"),
        (["a", "--resolve", "a.example"], "HOST:PORT:ADDRESS"), (["/none/policy.json"], "No such file"),
        (["a", "--host", "b", "--jsn"], "unknown argument"),
    ])
    func `wrong usage ends with 3, since 2 says that something expires`(arguments: [String], words: String) async throws
    {
        let answer = try await world.policy(["audit"] + arguments)
        #expect(answer.ending == .exited(3))
        #expect(answer.output.contains(words), "\(answer.output)")
    }

    @Test func `a policy with a mistake ends with 3`() async throws {
        let answer = try await audit(["a.example": #"{"pin": 1}"#])
        #expect(answer.ending == .exited(3))
        #expect(answer.output.contains(#"$.hosts["a.example"].pin"#))
        let pattern = try await audit(["a.example": "{}"], ["--host", "*.b.example"])
        #expect(pattern.ending == .exited(3))
    }
}
