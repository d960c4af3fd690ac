import Foundation
import LinchpinTestSupport
import LinchpinTrust
import Testing

/// Every mistake in a policy file is an error with its place, beside a file without it.
@Suite struct PolicyFaultTests {
    private static let pins = #""pins": ["\#(PolicyWorld.seven)", "\#(PolicyWorld.eight)"]"#
    private static let host = #"$.hosts["api.example.com"]"#
    private static let values = ["null", "0", "1", "1.5", "true", #""x""#, #""true""#, "[]", "{}", "[1]", "[null]"]

    private let policy: PolicyWorld

    init() throws { policy = try PolicyWorld() }

    /// Expects an error whose reason begins with the file's path and a place.
    @discardableResult
    private func expectFault(_ text: String, at place: String, _ words: String = ": ") -> TrustError? {
        let error = #expect(throws: TrustError.self, "\(text)") { try policy.manager(text) }
        #expect(error?.code == .malformedPolicy, "\(text)")
        let reason = error?.reason ?? ""
        #expect(reason.hasPrefix("\(policy.directory.path(of: "policy.json")): \(place): "), "\(reason)")
        #expect(reason.contains(words), "\(reason)")
        return error
    }

    /// A field of an entry, a value that is right, and the values that are of the right type but wrong elsewhere.
    private static let fields: [(name: String, right: String, notTried: Set<String>)] = [
        ("pins", #"["\#(PolicyWorld.seven)", "\#(PolicyWorld.eight)"]"#, ["[1]", "[null]"]),
        ("requiresBackupPin", "false", ["true"]),
        ("expiration", #"{"date": "2030-01-31", "afterwards": "refuse"}"#, ["{}"]),
        ("validateHost", "false", ["true"]),
        ("performDefaultValidation", "false", ["true"]),
        ("roots", #""system""#, ["[1]", "[null]"]),
        ("profile", #""privatePKI""#, []),
    ]

    @Test(arguments: fields.indices)
    func `a field of an entry has its one type`(index: Int) throws {
        let (name, right, notTried) = Self.fields[index]
        let others = name == "pins" ? "" : "\(Self.pins), "
        _ = try policy.manager(entry: #"{\#(others)"\#(name)": \#(right)}"#)
        for value in Self.values where !notTried.contains(value) {
            let entry = #"{\#(others)"\#(name)": \#(value)}"#
            expectFault(PolicyWorld.file(entry: entry), at: "\(Self.host).\(name)")
        }
    }

    @Test func `a field of the whole has its one type`() throws {
        _ = try policy.manager(#"{"version": 1, "allHostsMustBeEvaluated": true, "hosts": {}}"#)
        let wrongVersions = ["2", "-1", "10", "1.0", "1e0", "18446744073709551617", #""1""#]
        for value in Self.values + wrongVersions where value != "1" {
            expectFault(#"{"version": \#(value), "hosts": {}}"#, at: "$.version")
        }
        for value in Self.values where value != "true" {
            expectFault(#"{"version": 1, "allHostsMustBeEvaluated": \#(value)}"#, at: "$.allHostsMustBeEvaluated")
        }
        for value in Self.values where value != "{}" {
            expectFault(#"{"version": 1, "hosts": \#(value)}"#, at: "$.hosts")
            expectFault(PolicyWorld.file(entry: value), at: Self.host, "an object is wanted here, not ")
            expectFault(value, at: "$", "an object is wanted here, not ")
        }
    }

    @Test func `a version has to be there, and is looked at first`() throws {
        _ = try policy.manager(#"{"version": 1}"#)
        expectFault("{}", at: "$.version", "missing")
        expectFault(#"{"hosts": {}}"#, at: "$.version", "missing")
        expectFault(#"{"version": 2, "rules": []}"#, at: "$.version", "2 is not a version")
        expectFault(#"{"Version": 1}"#, at: "$.version", "missing")
    }

    /// An entry with a mistake, the same without it, where the mistake is and what is said of it.
    private static let entries: [(wrong: String, right: String, place: String, words: String)] = [
        (#"{"pin": []}"#, "{}", ".pin", "not known"),
        (#"{"Roots": "system"}"#, #"{"roots": "system"}"#, ".Roots", "not known"),
        (#"{"": 1}"#, "{}", #"[""]"#, "not known"),
        (#"{"a\u001bb\"": 1}"#, "{}", #"["a\u{1B}b\""]"#, "not known"),
        (
            #"{"pins": ["\#(PolicyWorld.seven)", "sha256/AAAA"]}"#, "{\(pins)}", ".pins[1]",
            #""sha256/AAAA" is not a pin"#
        ),
        (#"{"pins": [1]}"#, "{\(pins)}", ".pins[0]", "a string is wanted here, not a number"),
        (#"{"pins": []}"#, "{\(pins)}", ".pins", "an empty list accepts nothing"),
        (
            #"{"pins": ["\#(PolicyWorld.seven)"]}"#,
            #"{"pins": ["\#(PolicyWorld.seven)"], "requiresBackupPin": false}"#, ".pins", "there is one pin"
        ),
        (
            #"{"requiresBackupPin": false}"#, #"{"requiresBackupPin": false, \#(pins)}"#, ".requiresBackupPin",
            "about pins"
        ),
        (
            #"{"performDefaultValidation": false}"#, #"{"performDefaultValidation": false, \#(pins)}"#,
            ".performDefaultValidation", "about pins"
        ),
        (
            #"{"expiration": {"date": "2030-01-31", "afterwards": "refuse"}}"#,
            #"{"expiration": {"date": "2030-01-31", "afterwards": "refuse"}, \#(pins)}"#, ".expiration", "about pins"
        ),
        (expiring(#""date": "2030-02-30", \#(refuse)"#), right, ".expiration.date", #""2030-02-30" is not a date"#),
        (expiring(#""date": 2030, \#(refuse)"#), right, ".expiration.date", "not a number"),
        (expiring(refuse), right, ".expiration.date", "missing"),
        (expiring(day), right, ".expiration.afterwards", "missing"),
        (expiring(#"\#(day), "afterwards": "accept""#), right, ".expiration.afterwards", #""accept" is neither"#),
        (expiring(#"\#(day), "afterwards": true"#), right, ".expiration.afterwards", "not true or false"),
        (expiring(#"\#(day), \#(refuse), "then": 1"#), right, ".expiration.then", "not known"),
        (#"{"roots": "System"}"#, #"{"roots": "system"}"#, ".roots", #""System" is neither "system" nor"#),
        (#"{"roots": "root.pem"}"#, #"{"roots": ["root.pem"]}"#, ".roots", "an array of files"),
        (#"{"roots": []}"#, #"{"roots": ["root.pem"]}"#, ".roots", "an empty list accepts nothing"),
        (#"{"roots": ["root.pem", 1]}"#, #"{"roots": ["root.pem", "root.der"]}"#, ".roots[1]", "not a number"),
        (#"{"roots": [""]}"#, #"{"roots": ["root.pem"]}"#, ".roots[0]", "not a path"),
        (#"{"roots": ["root.pem\u0000x"]}"#, #"{"roots": ["root.pem"]}"#, ".roots[0]", "not a path"),
        (#"{"roots": ["r.pem"]}"#, #"{"roots": ["root.pem"]}"#, ".roots[0]", "r.pem: No such file or directory"),
        (#"{"roots": ["root.pem", "."]}"#, #"{"roots": ["root.pem"]}"#, ".roots[1]", "/.: Is a directory"),
        (
            #"{"roots": ["empty.pem"]}"#, #"{"roots": ["root.pem"]}"#, ".roots[0]",
            "empty.pem: the text has no PEM block"
        ),
        (#"{"profile": "web-pki"}"#, #"{"profile": "webPKI"}"#, ".profile", #""web-pki" is neither"#),
        (#"{"validateHost": false, "validateHost": true}"#, #"{"validateHost": true}"#, ".validateHost", "twice"),
    ]

    private static let day = #""date": "2030-01-31""#
    private static let refuse = #""afterwards": "refuse""#
    private static let right = expiring(#"\#(day), \#(refuse)"#)

    private static func expiring(_ expiration: String) -> String { "{\(pins), \"expiration\": {\(expiration)}}" }

    @Test(arguments: entries.indices)
    func `a mistake in an entry is told with its place`(index: Int) throws {
        let (wrong, right, place, words) = Self.entries[index]
        _ = try policy.manager(entry: right)
        expectFault(PolicyWorld.file(entry: wrong), at: Self.host + place, words)
    }

    @Test func `a fault has the error of whoever found it as its cause`() throws {
        func cause(_ entry: String) -> TrustError.Code? {
            let error = #expect(throws: TrustError.self) { try policy.manager(entry: entry) }
            return (error?.cause as? TrustError)?.code
        }
        #expect(cause(#"{"pins": ["x"]}"#) == .malformedPin)
        #expect(cause(#"{"pins": ["\#(PolicyWorld.seven)"]}"#) == .noBackupPin)
        #expect(cause(#"{"roots": ["r.pem"]}"#) == .unreadableFile)
        #expect(cause(#"{"roots": ["empty.pem"]}"#) == .malformedCertificate)
        #expect(cause(Self.expiring(#""date": "x", \#(Self.refuse)"#)) == .malformedDate)
    }

    @Test(arguments: ["", "*", "*.com", "https://a.example", "*.a.example:8443", "a.example:0", "a b"])
    func `a pattern for no host is told with its place`(pattern: String) throws {
        _ = try policy.manager(#"{"version": 1, "hosts": {"*.a.example": {}, "a.example:8443": {}}}"#)
        let place = "$.hosts[\"\(pattern)\"]"
        let error = expectFault(#"{"version": 1, "hosts": {"\#(pattern)": {}}}"#, at: place, "is not a host pattern")
        #expect((error?.cause as? TrustError)?.code == .malformedHostPattern)
    }

    @Test func `one host in two spellings is an error`() throws {
        _ = try policy.manager(#"{"version": 1, "hosts": {"a.example": {}, "a.example:443": {}}}"#)
        expectFault(#"{"version": 1, "hosts": {"a.example": {}, "A.example.": {}}}"#, at: "$.hosts", "the same host")
    }
}
