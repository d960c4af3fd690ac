import Foundation
import LinchpinTestSupport
import LinchpinTrust
import Testing

/// Policy files as files: their bytes, their size, and whether they are there.
@Suite struct PolicyTextTests {
    private static let text = #"{"version": 1, "hosts": {"a.example": {"roots": "system"}}}"#

    private let policy: PolicyWorld

    init() throws { policy = try PolicyWorld() }

    private func manager(_ bytes: Data) throws -> ServerTrustManager {
        try ServerTrustManager(contentsOfPolicyFile: policy.directory.write(bytes, to: "policy.json"))
    }

    private func expectFault(_ bytes: Data, _ words: String, place: String = "$") {
        let error = #expect(throws: TrustError.self) { try manager(bytes) }
        #expect(error?.code == .malformedPolicy)
        let reason = error?.reason ?? ""
        #expect(reason.hasPrefix("\(policy.directory.path(of: "policy.json")): \(place): "), "\(reason)")
        #expect(reason.contains(words), "\(reason)")
    }

    @Test func `a file that is not there is an error with errno's words`() throws {
        let path = policy.directory.path(of: "missing.json")
        let error = #expect(throws: TrustError.self) { try ServerTrustManager(contentsOfPolicyFile: path) }
        #expect(error?.code == .unreadableFile)
        #expect(error?.reason == "\(path): No such file or directory")
        try policy.directory.write(Self.text, to: "missing.json")
        _ = try ServerTrustManager(contentsOfPolicyFile: path)
    }

    @Test func `a directory is an error with errno's words`() {
        let path = policy.directory.path
        let error = #expect(throws: TrustError.self) { try ServerTrustManager(contentsOfPolicyFile: path) }
        #expect(error?.code == .unreadableFile)
        #expect(error?.reason == "\(path): Is a directory")
    }

    @Test func `every beginning of a file is an error, and so is more than the file`() throws {
        let bytes = Data(Self.text.utf8)
        _ = try manager(bytes)
        _ = try manager(Data(" \r\n\t".utf8) + bytes + Data("\n".utf8))
        for length in 0..<bytes.count { expectFault(bytes.prefix(length), length == 0 ? "nothing" : "not JSON") }
        for more in ["}", "x", "{}", ","] { expectFault(bytes + Data(more.utf8), "not JSON") }
    }

    @Test func `UTF-8 is read with and without a byte order mark, other encodings are not`() throws {
        let mark = Data([0xEF, 0xBB, 0xBF])
        #expect(try manager(mark + Data(Self.text.utf8)).policy(for: "a.example").outcome == .entry)
        expectFault(mark, "not JSON")
        expectFault(mark + mark + Data(Self.text.utf8), "not JSON")
        let encodings: [String.Encoding] = [
            .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian,
        ]
        for encoding in encodings { expectFault(try #require(Self.text.data(using: encoding)), "save it as UTF-8") }
        expectFault(
            Data(#"{"version": 1, "hosts": {"b\#u{FC}cher.example": {}}}"#.unicodeScalars.map { UInt8($0.value) }),
            "not JSON"
        )
    }

    @Test func `an international name is read as it is written`() throws {
        let manager = try manager(Data(#"{"version": 1, "hosts": {"b\#u{FC}cher.example": {}}}"#.utf8))
        #expect(try manager.policy(for: "xn--bcher-kva.example").outcome == .entry)
    }

    @Test func `a file has 1 MiB at most`() throws {
        let spaces = Data(repeating: 0x20, count: (1 << 20) - Self.text.utf8.count)
        _ = try manager(Data(Self.text.utf8) + spaces)
        expectFault(Data(Self.text.utf8) + spaces + Data(" ".utf8), "more than 1048576 bytes")
        let error = #expect(throws: TrustError.self) { try ServerTrustManager(contentsOfPolicyFile: "/dev/zero") }
        #expect(error?.reason == "/dev/zero: $: there are more than 1048576 bytes")
    }

    @Test func `a file of nothing but brackets is an error`() {
        expectFault(Data(repeating: UInt8(ascii: "["), count: 1 << 20), "not JSON")
        expectFault(Data(String(repeating: #"{"a":"#, count: 200_000).utf8), "not JSON")
    }

    /// A text, and where a name is that stands twice.
    private static let repetitions: [(text: String, place: String)] = [
        (#"{"version": 1, "version": 1}"#, "$.version"),
        (#"{"version": 1, "hosts": {"a.example": {}, "a.example": {}}}"#, #"$.hosts["a.example"]"#),
        (#"{"version": 1, "hosts": {}, "hosts": {"a.example": {}}}"#, "$.hosts"),
        (#"{"version": 1, "hosts": {"a.example": {"pins": [], "p\u0069ns": []}}}"#, #"$.hosts["a.example"].pins"#),
        (#"{"version": 1, "x": [{"a:{\"": "\\", "b": {}, "a:{\"": 1}]}"#, #"$.x["a:{\""]"#),
    ]

    @Test(arguments: repetitions.indices)
    func `a name that stands twice is an error with its place`(index: Int) {
        let (text, place) = Self.repetitions[index]
        expectFault(Data(text.utf8), "stands twice", place: place)
    }

    @Test func `a name may stand in two objects, and in a value`() throws {
        let entry = #"{"roots": "system", "profile": "webPKI"}"#
        _ = try manager(Data(#"{"version": 1, "hosts": {"a.example": \#(entry), "b.example": \#(entry)}}"#.utf8))
    }

    @Test func `bytes from elsewhere have no path in their errors`() throws {
        _ = try ServerTrustManager(policy: Data(Self.text.utf8), relativeTo: policy.directory.path)
        for (text, reason) in [("", "$: "), (#"{"version": 1, "hosts": {"A.b": {}, "a.b": {}}}"#, "$.hosts: ")] {
            let error = #expect(throws: TrustError.self) {
                try ServerTrustManager(policy: Data(text.utf8), relativeTo: policy.directory.path)
            }
            #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
        }
    }
}
