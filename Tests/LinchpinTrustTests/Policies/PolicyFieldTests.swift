import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// What each field of a policy file does in a handshake.
@Suite struct PolicyFieldTests {
    private let policy: PolicyWorld
    private let pin: String

    init() throws {
        policy = try PolicyWorld()
        pin = policy.world.server.pin.description
    }

    /// Why the world's server is refused by an entry; nil when it is accepted.
    private func refusal(_ entry: String, host: String = World.host, at date: Date = noon) throws -> TrustError.Code? {
        let text = #"{"version": 1, "hosts": {"\#(host)": \#(entry)}}"#
        return try policy.refusal(by: policy.manager(text), host: host, at: date)
    }

    @Test func `a pin of the server accepts it and another refuses it`() throws {
        let rest = #""requiresBackupPin": false, "roots": ["root.pem"]"#
        #expect(try refusal(#"{"pins": ["\#(pin)"], \#(rest)}"#) == nil)
        #expect(try refusal(#"{"pins": ["\#(PolicyWorld.seven)"], \#(rest)}"#) == .pinMismatch)
        #expect(try refusal(#"{"pins": ["\#(PolicyWorld.seven)", "\#(pin)"], "roots": ["root.pem"]}"#) == nil)
    }

    @Test(arguments: [(#"["root.pem"]"#, true), (#"["foreign.pem"]"#, false), (#""system""#, false)])
    func `roots are those that are named`(roots: String, isAccepted: Bool) throws {
        #expect(try refusal(#"{"roots": \#(roots)}"#) == (isAccepted ? nil : .noAnchor))
        #expect(try refusal(#"{"roots": ["foreign.pem", "root.der"]}"#) == nil)
        #expect(try refusal("{}") == .noAnchor)
    }

    @Test func `roots may be named by an absolute path, and are relative to the policy file otherwise`() throws {
        let path = policy.directory.path(of: "root.pem")
        #expect(try refusal(#"{"roots": ["\#(path)"]}"#) == nil)
        let data = Data(PolicyWorld.file(entry: #"{"roots": ["root.pem"]}"#).utf8)
        let manager = try ServerTrustManager(policy: data, relativeTo: policy.directory.path)
        #expect(try policy.refusal(by: manager) == nil)
        let error = #expect(throws: TrustError.self) { try ServerTrustManager(policy: data, relativeTo: "/nowhere") }
        #expect(
            error?.reason
                == #"$.hosts["api.example.com"].roots[0]: /nowhere/root.pem: No such file or directory"#
        )
    }

    @Test func `given roots are those that were given`() throws {
        let entry = #"{"roots": "given"}"#
        let right = try policy.manager(entry: entry, givenRoots: policy.world.roots)
        #expect(try policy.refusal(by: right) == nil)
        let foreign = TrustRoots.certificates([policy.world.foreignRoot.certificate])
        #expect(try policy.refusal(by: policy.manager(entry: entry, givenRoots: foreign)) == .noAnchor)
        let none = #expect(throws: TrustError.self) { try policy.manager(entry: entry) }
        #expect(none?.code == .malformedPolicy)
        let empty = #expect(throws: TrustError.self) {
            try policy.manager(entry: entry, givenRoots: .certificates([]))
        }
        #expect(empty?.code == .malformedPolicy)
    }

    @Test func `the host's name counts unless it is said not to`() throws {
        for pins in ["", #""pins": ["\#(pin)"], "requiresBackupPin": false, "#] {
            let host = "other.example.com"
            #expect(try refusal(#"{\#(pins)"roots": ["root.pem"]}"#, host: host) == .hostMismatch)
            #expect(try refusal(#"{\#(pins)"roots": ["root.pem"], "validateHost": true}"#, host: host) == .hostMismatch)
            #expect(try refusal(#"{\#(pins)"roots": ["root.pem"], "validateHost": false}"#, host: host) == nil)
        }
    }

    @Test func `a chain has to be valid unless it is said not to`() throws {
        let pins = #""pins": ["\#(pin)"], "requiresBackupPin": false"#
        #expect(try refusal("{\(pins)}") == .noAnchor)
        #expect(try refusal(#"{\#(pins), "performDefaultValidation": true}"#) == .noAnchor)
        #expect(try refusal(#"{\#(pins), "performDefaultValidation": false}"#) == nil)
    }

    @Test func `expired pins do what was said`() throws {
        let day = String(noon.rfc3339.prefix(10))
        let later = noon.addingTimeInterval(86_400)
        func entry(_ afterwards: String) -> String {
            #"{"pins": ["\#(PolicyWorld.seven)"], "requiresBackupPin": false, "roots": ["root.pem"], "#
                + #""expiration": {"date": "\#(day)", "afterwards": "\#(afterwards)"}}"#
        }
        #expect(try refusal(entry("refuse"), at: noon.addingTimeInterval(-86_400)) == .pinMismatch)
        #expect(try refusal(entry("refuse"), at: later) == .pinsExpired)
        #expect(try refusal(entry("fallBackToDefaultValidation"), at: later) == nil)
    }

    @Test func `the profile is the one that is named`() throws {
        // Public certificates have no underscore in a name.
        let host = "a_b.example.com"
        let server = try policy.world.intermediate.issue([.dns(host)], validity: .atNoon)
        for pins in ["", #""pins": ["\#(server.pin)"], "requiresBackupPin": false, "#] {
            for (profile, isAccepted) in [("webPKI", false), ("privatePKI", true)] {
                let entry = #"{\#(pins)"roots": ["root.pem"], "profile": "\#(profile)"}"#
                let manager = try policy.manager(#"{"version": 1, "hosts": {"\#(host)": \#(entry)}}"#)
                let code = try policy.refusal(by: manager, of: server.chain, host: host)
                #expect((code == nil) == isAccepted, "\(entry)")
            }
        }
    }

    @Test func `hosts without an entry are refused unless it is said not to`() throws {
        let closed = try policy.manager(#"{"version": 1}"#)
        #expect(closed.allHostsMustBeEvaluated)
        #expect(try policy.refusal(by: closed) == .noRequiredEvaluator)
        #expect(try policy.manager(#"{"version": 1, "allHostsMustBeEvaluated": true}"#).allHostsMustBeEvaluated)
        let open = try policy.manager(#"{"version": 1, "allHostsMustBeEvaluated": false, "hosts": {}}"#)
        #expect(try policy.refusal(by: open) == .noAnchor)
    }

    @Test func `the most specific entry wins, with its port`() throws {
        let manager = try policy.manager(
            #"{"version": 1, "hosts": {"**.example.com": {"roots": ["foreign.pem"]}, "#
                + #""api.example.com:8443": {"roots": ["root.pem"]}}}"#
        )
        #expect(try policy.refusal(by: manager, port: 8_443) == nil)
        #expect(try policy.refusal(by: manager, port: 443) == .noAnchor)
        #expect(try manager.policy(for: "API.example.com.", port: 8_443).pattern == "api.example.com:8443")
    }
}
