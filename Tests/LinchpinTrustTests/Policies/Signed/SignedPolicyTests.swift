import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// Signed policies are taken on while the manager is in use, and nothing else is.
@Suite struct SignedPolicyTests {
    private let signing: SigningWorld

    init() throws { signing = try SigningWorld() }

    private func code(_ body: () throws -> Void) -> TrustError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? TrustError)?.code
        }
    }

    /// Why a document is refused; the table in force and the file stay as they are then.
    private func refusal(
        of document: Data,
        after earlier: [Data] = [],
        minimumVersion: Int = 1,
        at date: Date = noon
    ) throws -> TrustError.Code? {
        let manager = try signing.manager()
        let store = signing.store(minimumVersion: minimumVersion, at: date)
        for document in earlier { try signing.update(manager, document, store) }
        let (generation, kept) = (manager.generation, FileManager.default.contents(atPath: signing.path))
        let code = code { try signing.update(manager, document, store) }
        if code != nil {
            #expect(manager.generation == generation)
            #expect(FileManager.default.contents(atPath: signing.path) == kept)
        }
        return code
    }

    // MARK: Taking on

    @Test func `a signed policy is put in force and kept`() throws {
        let manager = try signing.manager()
        #expect(try !signing.accepts(manager))
        let document = try signing.document(3)
        #expect(try signing.update(manager, document, signing.store()) == .applied(version: 3))
        #expect(try signing.accepts(manager))
        #expect(FileManager.default.contents(atPath: signing.path) == document)

        let next = try signing.manager()
        let version = try next.restoreSignedPolicy(from: signing.store(), givenRoots: signing.policy.world.roots)
        #expect(version == 3)
        #expect(try signing.accepts(next))
    }

    @Test func `without a kept policy nothing is restored`() throws {
        let manager = try signing.manager()
        let generation = manager.generation
        #expect(try manager.restoreSignedPolicy(from: signing.store()) == nil)
        #expect(manager.generation == generation)
    }

    @Test func `a higher version replaces what is in force, up to its hosts`() throws {
        let (manager, store) = (try signing.manager(), signing.store())
        try signing.update(manager, signing.document(1), store)
        let tight = try signing.document(2, entry: #"{"pins": ["\#(PolicyWorld.seven)", "\#(PolicyWorld.eight)"]}"#)
        #expect(try signing.update(manager, tight, store) == .applied(version: 2))
        #expect(try signing.policy.refusal(by: manager) != nil)
        #expect(try store.stored()?.version == 2)
    }

    // MARK: Refusals

    @Test func `an older version is refused, from the file as well as from memory`() throws {
        let (old, new) = (try signing.document(4), try signing.document(5))
        #expect(try refusal(of: new, after: [old]) == nil)
        #expect(try refusal(of: old) == .policyRolledBack)
        let (manager, store) = (try signing.manager(), signing.store())
        try signing.update(manager, new, store)
        try FileManager.default.removeItem(atPath: signing.path)
        #expect(code { try signing.update(manager, old, store) } == .policyRolledBack)
        try signing.update(manager, new, store)
        #expect(try store.stored()?.version == 5)
    }

    @Test func `an older policy in the place of the kept one is not restored`() throws {
        let (old, new) = (try signing.document(4), try signing.document(5))
        let other = try signing.document(5, entry: #"{"roots": "system"}"#)
        let (manager, store) = (try signing.manager(), signing.store())
        func restore() throws { try manager.restoreSignedPolicy(from: store, givenRoots: signing.policy.world.roots) }
        try signing.update(manager, new, store)
        let generation = manager.generation
        for document in [old, other] {
            try document.write(to: URL(filePath: signing.path))
            #expect(code { try restore() } == .policyRolledBack)
            #expect(manager.generation == generation)
        }
        try new.write(to: URL(filePath: signing.path))
        #expect(code { try restore() } == nil)
        // Another process may have taken on a newer one.
        try signing.document(6).write(to: URL(filePath: signing.path))
        #expect(code { try restore() } == nil)
        #expect(code { try signing.update(manager, new, store) } == .policyRolledBack)
    }

    @Test func `a version below the lowest is refused`() throws {
        #expect(try refusal(of: signing.document(6), minimumVersion: 7) == .policyRolledBack)
        #expect(try refusal(of: signing.document(7), minimumVersion: 7) == nil)
        let manager = try signing.manager()
        #expect(code { try manager.restoreSignedPolicy(from: signing.store(minimumVersion: 8)) } == .policyRolledBack)
    }

    @Test func `the same policy again changes nothing, and another one with its version is refused`() throws {
        let document = try signing.document(2)
        let other = try signing.document(2, entry: #"{"roots": "system"}"#)
        #expect(try refusal(of: other, after: [document]) == .policyRolledBack)
        #expect(try signing.update(signing.manager(), document, signing.store()) == .unchanged(version: 2))
        #expect(FileManager.default.contents(atPath: signing.path) == document)
    }

    @Test func `a policy is taken on up to its last second`() throws {
        let document = try signing.document(1, expires: noon)
        #expect(try refusal(of: document, at: noon.addingTimeInterval(1)) == .policyExpired)
        #expect(try refusal(of: document, at: noon.addingTimeInterval(0.5)) == nil)
        let manager = try signing.manager()
        let late = signing.store(at: noon.addingTimeInterval(1))
        #expect(code { try manager.restoreSignedPolicy(from: late) } == .policyExpired)
        // It still keeps older ones out.
        let older = try signing.document(policy: #"{"version": 1}"#, version: 1)
        #expect(code { try signing.update(manager, older, late) } == .policyRolledBack)
    }

    @Test func `a key that is not the built-in one is refused`() throws {
        #expect(try refusal(of: signing.document(1, by: signing.stranger)) == .policySignatureInvalid)
        #expect(try refusal(of: signing.document(1)) == nil)
        let document = try signing.document(2)
        let rsa = try PrivateKey(.p256).publicKey
        #expect(code { _ = try SignedPolicy(document, key: rsa) } == .malformedPublicKey)
        let p256 = try PrivateKey(.p256)
        #expect(code { _ = try signing.document(2, by: p256) } == .malformedIdentity)
    }

    @Test func `a document that is cut off anywhere is refused`() throws {
        let document = try signing.document(1)
        // The line feed at the end is none of JSON's.
        for length in 0..<(document.count - 2) {
            let code = code { _ = try SignedPolicy(document.prefix(length), key: signing.publicKey) }
            #expect(code == .malformedPolicy, "\(length)")
        }
        #expect(try SignedPolicy(document.dropLast(), key: signing.publicKey).version == 1)
    }

    @Test func `a document with any bit of payload or signature changed is refused`() throws {
        let document = try signing.document(1)
        let fields = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
        for name in ["payload", "signature"] {
            let bytes = try #require((fields[name] as? String).flatMap { Data(base64Encoded: $0) })
            for index in bytes.indices {
                var (changed, other) = (bytes, fields)
                changed[index] ^= 1 << UInt8(index % 8)
                other[name] = changed.base64EncodedString()
                let document = try JSONSerialization.data(withJSONObject: other)
                #expect(code { _ = try SignedPolicy(document, key: signing.publicKey) } == .policySignatureInvalid)
            }
        }
        let again = try JSONSerialization.data(withJSONObject: fields)
        #expect(try SignedPolicy(again, key: signing.publicKey).version == 1)
    }

    @Test func `a signature over the payload alone is none of a policy`() async throws {
        let document = try signing.document(1)
        let fields = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
        let payload = try #require((fields["payload"] as? String).flatMap { Data(base64Encoded: $0) })
        // What the key would sign for somebody who has it sign what they like: the payload without the policy's words.
        let message = try signing.directory.write(payload, to: "payload")
        let key = try signing.directory.write(signing.key.pem, to: "key.pem")
        let signature = signing.directory.path(of: "signature")
        try await ChildProcess.run(
            "openssl",
            ["pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", message, "-out", signature]
        )
        let bytes = try #require(FileManager.default.contents(atPath: signature))
        #expect(bytes.count == 64)
        var other = fields
        other["signature"] = bytes.base64EncodedString()
        let forged = try JSONSerialization.data(withJSONObject: other)
        #expect(code { _ = try SignedPolicy(forged, key: signing.publicKey) } == .policySignatureInvalid)
    }

    @Test func `a newer format is refused before anything else`() throws {
        let text = String(decoding: try signing.document(1), as: UTF8.self)
        let newer = text.replacing(#""format": 1"#, with: #""format": 2"#)
        #expect(try refusal(of: Data(newer.utf8)) == .unsupportedPolicyFormat)
        #expect(try refusal(of: Data(#"{"format": 2, "body": []}"#.utf8)) == .unsupportedPolicyFormat)
        #expect(try refusal(of: Data(text.utf8)) == nil)
    }

    @Test(arguments: [
        "{}", #"{"format": "1"}"#, #"{"format": 1}"#, #"{"format": 1, "payload": "", "signature": "x"}"#,
        #"{"format": 1, "payload": "e30", "signature": "e30="}"#, #"{"format": 1, "format": 1}"#, "[]", "",
    ])
    func `what is no signed policy is refused`(text: String) throws {
        #expect(code { _ = try SignedPolicy(Data(text.utf8), key: signing.publicKey) } == .malformedPolicy)
    }

    @Test(arguments: [
        #"{"version": 2}"#, #"{"version": 1, "hosts": {"*": {}}}"#,
        #"{"version": 1, "hosts": {"a.example": {"pin": 1}}}"#,
        #"{"version": 1, "hosts": {"a.example": {"clientIdentity": "x"}}}"#,
        #"{"version": 1, "hosts": {"a.example": {}, "A.example": {}}}"#,
    ])
    func `a policy with a mistake is refused, though it is signed`(policy: String) throws {
        #expect(try refusal(of: signing.document(policy: policy, version: 1)) == .malformedPolicy)
    }

    @Test func `a signed policy names files only where the program says so`() throws {
        let document = try signing.document(1, entry: #"{"roots": ["root.pem"]}"#)
        #expect(try refusal(of: document) == .malformedPolicy)
        let manager = try signing.manager()
        try manager.update(
            signedPolicy: document,
            keptIn: signing.store(),
            relativeTo: signing.policy.directory.path
        )
        #expect(try signing.accepts(manager))
    }

    // MARK: The file

    @Test func `a file that somebody damaged keeps every policy out until it is repaired`() throws {
        let document = try signing.document(1)
        try signing.directory.write(document.prefix(100), to: "kept.json")
        #expect(try refusal(of: signing.document(2)) == .malformedPolicy)
        try signing.directory.write(document, to: "kept.json")
        #expect(try refusal(of: signing.document(2)) == nil)
    }

    @Test func `where nothing can be written nothing is put in force`() throws {
        let manager = try signing.manager()
        let generation = manager.generation
        let store = SignedPolicyStore(path: "/proc/none/kept.json", key: signing.publicKey) { noon }
        #expect(code { try signing.update(manager, signing.document(1), store) } == .unwritableFile)
        #expect(manager.generation == generation)
        // A directory in the place of what is written first.
        try FileManager.default.createDirectory(atPath: "\(signing.path).new", withIntermediateDirectories: false)
        #expect(try refusal(of: signing.document(1)) == .unwritableFile)
    }

    @Test func `a link in the place of what is written first is not followed`() throws {
        let victim = try signing.directory.write("mine", to: "victim")
        try FileManager.default.createSymbolicLink(atPath: "\(signing.path).new", withDestinationPath: victim)
        #expect(try refusal(of: signing.document(1)) == .unwritableFile)
        #expect(FileManager.default.contents(atPath: victim) == Data("mine".utf8))
    }

    @Test func `of many updates at a time the newest stays`() async throws {
        let (manager, store) = (try signing.manager(), signing.store())
        let documents = try (1...16).map { try signing.document($0) }
        await withTaskGroup(of: Void.self) { group in
            for document in documents.shuffled() {
                group.addTask { [signing] in _ = try? signing.update(manager, document, store) }
            }
        }
        #expect(try store.stored()?.version == 16)
        #expect(try signing.accepts(manager))
    }
}
