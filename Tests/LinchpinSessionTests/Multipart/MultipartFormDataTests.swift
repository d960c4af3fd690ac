import Foundation
import Glibc
import LinchpinSession
import LinchpinTestSupport
import Testing

@Suite struct MultipartFormDataTests {
    private func text(_ form: MultipartFormData) throws -> String {
        let data = try form.encode()
        #expect(form.contentLength == UInt64(data.count))
        return String(decoding: data, as: UTF8.self)
    }

    private func reason(_ form: MultipartFormData) -> SessionError.MultipartEncodingFailureReason? {
        do {
            _ = try form.encode()
            return nil
        } catch {
            guard case .multipartEncodingFailed(let reason)? = error as? SessionError else { return nil }
            return reason
        }
    }

    @Test func `parts stand between boundaries, each with its fields`() throws {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: try directory.write("<p>", to: "a.html"))
        let form = MultipartFormData(boundary: "b0")
        form.append(Data("1".utf8), withName: "n")
        form.append(Data(), withName: "e", fileName: "e.txt", mimeType: "text/plain")
        form.append(file, withName: "f")
        form.append(file, withName: "g", fileName: "日本語😀.png", mimeType: "image/png")
        form.append(
            InputStream(data: Data("stream".utf8)),
            withLength: 6,
            name: "s",
            fileName: "s.bin",
            mimeType: "a/b"
        )
        form.append(InputStream(data: Data()), withLength: 0, headers: ["X-Field": "v"])
        let lines = [
            "--b0", "Content-Disposition: form-data; name=\"n\"", "", "1",
            "--b0", "Content-Disposition: form-data; name=\"e\"; filename=\"e.txt\"", "Content-Type: text/plain", "",
            "",
            "--b0", "Content-Disposition: form-data; name=\"f\"; filename=\"a.html\"", "Content-Type: text/html", "",
            "<p>",
            "--b0", "Content-Disposition: form-data; name=\"g\"; filename=\"日本語😀.png\"", "Content-Type: image/png", "",
            "<p>",
            "--b0", "Content-Disposition: form-data; name=\"s\"; filename=\"s.bin\"", "Content-Type: a/b", "", "stream",
            "--b0", "X-Field: v", "", "", "--b0--", "",
        ]
        #expect(try text(form) == lines.joined(separator: "\r\n"))
        #expect(form.contentType == "multipart/form-data; boundary=b0")
    }

    @Test func `a form of no parts is the closing line`() throws {
        #expect(try text(MultipartFormData(boundary: "b0")) == "--b0--\r\n")
    }

    @Test(arguments: [
        ("my \"x\".pdf", "my %22x%22.pdf"), ("a\r\nEvil: 1", "a%0D%0AEvil: 1"), ("a\rb\nc", "a%0Db%0Ac"),
        ("é\\%22;", "é\\%22;"),
        ("", ""),
    ])
    func `what would end a name is escaped`(_ name: String, _ escaped: String) throws {
        let form = MultipartFormData(boundary: "b0")
        form.append(Data(), withName: name, fileName: name)
        let field = "Content-Disposition: form-data; name=\"\(escaped)\"; filename=\"\(escaped)\""
        #expect(try text(form) == "--b0\r\n\(field)\r\n\r\n\r\n--b0--\r\n")
    }

    @Test(arguments: [("text/plain\r\nEvil: 1", "n"), ("text/plain", "n\0")])
    func `a field that would become two is refused`(_ type: String, _ name: String) {
        let form = MultipartFormData()
        form.append(Data(), withName: name, mimeType: type)
        let error = #expect(throws: SessionError.self) { try form.encode() }
        guard case .urlRequestValidationFailed(.invalidHeader)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a boundary is a token of its own, or quoted`() {
        let boundaries = (0..<100).map { _ in MultipartFormData().boundary }
        #expect(Set(boundaries).count == 100)
        for boundary in boundaries {
            #expect((30...70).contains(boundary.utf8.count))
            #expect(boundary.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
            #expect(MultipartFormData(boundary: boundary).contentType == "multipart/form-data; boundary=\(boundary)")
        }
        #expect(MultipartFormData(boundary: "a b:c").contentType == "multipart/form-data; boundary=\"a b:c\"")
    }

    @Test func `a boundary that would make another field is a caller's mistake`() async {
        await #expect(processExitsWith: .failure) { _ = MultipartFormData(boundary: "a\r\nEvil: 1") }
        await #expect(processExitsWith: .failure) { _ = MultipartFormData(boundary: String(repeating: "a", count: 71)) }
        await #expect(processExitsWith: .failure) { _ = MultipartFormData(boundary: "") }
    }

    @Test(arguments: [
        ("a.PNG", "image/png"), ("a.tar.gz", "application/gzip"), ("a", "application/octet-stream"),
        ("a.nonsense", "application/octet-stream"), (".json", "application/octet-stream"), ("ä.jpeg", "image/jpeg"),
    ])
    func `the extension says the type`(_ name: String, _ type: String) throws {
        let directory = try TemporaryDirectory()
        let form = MultipartFormData()
        form.append(URL(filePath: try directory.write("x", to: name)), withName: "f")
        #expect(try text(form).contains("filename=\"\(name)\"\r\nContent-Type: \(type)\r\n\r\nx\r\n"))
    }

    @Test func `a file that cannot be a part is the first error`() throws {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: try directory.write("x", to: "f"))
        try FileManager.default.createSymbolicLink(atPath: directory.path(of: "l"), withDestinationPath: "nothing")
        try FileManager.default.createSymbolicLink(atPath: directory.path(of: "ok"), withDestinationPath: "f")
        try #require(mkfifo(directory.path(of: "p"), 0o600) == 0)
        func reason(_ url: URL) -> SessionError.MultipartEncodingFailureReason? {
            let form = MultipartFormData()
            form.append(url, withName: "n")
            form.append(URL(filePath: "/nothing/at/all"), withName: "later")
            return self.reason(form)
        }
        let places = ["missing", "l", "p", "f/x"].map { URL(filePath: directory.path(of: $0)) }
        guard case .bodyPartFileNotReachable(places[0])? = reason(places[0]),
            case .bodyPartFileNotReachable(places[1])? = reason(places[1]),
            case .bodyPartFileSizeNotAvailable(places[2])? = reason(places[2]),
            case .bodyPartFileNotReachable(places[3])? = reason(places[3]),
            case .bodyPartFileIsDirectory? = reason(URL(filePath: directory.path)),
            case .bodyPartURLInvalid? = reason(try "http://h/f".asURL()),
            case .bodyPartFilenameInvalid? = reason(URL(filePath: "/"))
        else {
            Issue.record("a reason is another")
            return
        }
        let form = MultipartFormData()
        form.append(file, withName: "n")
        form.append(URL(filePath: directory.path(of: "ok")), withName: "n")
        #expect(self.reason(form) == nil)
    }

    @Test(arguments: ["", "xx", "xxxx"])
    func `a file that changed its length since is an error`(_ later: String) throws {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: try directory.write("xxx", to: "f"))
        let form = MultipartFormData()
        form.append(file, withName: "n")
        #expect(reason(form) == nil)
        try Data(later.utf8).write(to: file)
        guard case .inputStreamReadFailed(let error)? = reason(form) else {
            Issue.record("a file of another length was sent")
            return
        }
        #expect((error as? SessionError.UnexpectedInputStreamLength)?.bytesExpected == 3)
        #expect((error as? SessionError.UnexpectedInputStreamLength)?.bytesRead == UInt64(later.utf8.count))
        try FileManager.default.removeItem(at: file)
        guard case .bodyPartInputStreamCreationFailed(file)? = reason(form) else {
            Issue.record("a file that is gone was sent")
            return
        }
    }

    @Test(arguments: [(2, false), (3, true), (4, false), (Int.max, false)])
    func `a stream has the length that was announced, in memory and in a file`(_ length: Int, _ isRight: Bool) throws {
        func form() -> MultipartFormData {
            let form = MultipartFormData()
            let stream = InputStream(data: Data("xxx".utf8))
            form.append(stream, withLength: UInt64(length), name: "n", fileName: "f", mimeType: "a/b")
            return form
        }
        let file = URL(filePath: try TemporaryDirectory().path + "-out")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect((reason(form()) == nil) == isRight)
        if isRight {
            try form().writeEncodedData(to: file)
        } else {
            let error = #expect(throws: SessionError.self) { try form().writeEncodedData(to: file) }
            guard case .multipartEncodingFailed(.inputStreamReadFailed(let cause))? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause is SessionError.UnexpectedInputStreamLength)
        }
        #expect(FileManager.default.fileExists(atPath: file.path) == isRight)
    }

    @Test func `a length beyond every file is an error and no crash`() {
        let form = MultipartFormData()
        for _ in 0..<3 { form.append(InputStream(data: Data()), withLength: .max, headers: [:]) }
        guard case .inputStreamReadFailed? = reason(form) else {
            Issue.record("a body of any length was begun")
            return
        }
    }

    @Test func `a body is written into a new file of the user's own`() throws {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path(of: "out"))
        let form = MultipartFormData(boundary: "b0")
        form.append(Data("x".utf8), withName: "n")
        try form.writeEncodedData(to: file)
        #expect(try Data(contentsOf: file) == form.encode())
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        func reason(_ url: URL) -> SessionError.MultipartEncodingFailureReason? {
            guard
                case .multipartEncodingFailed(let reason)? = #expect(
                    throws: SessionError.self,
                    performing: {
                        try form.writeEncodedData(to: url)
                    }
                )
            else { return nil }
            return reason
        }
        guard case .outputStreamFileAlreadyExists(file)? = reason(file),
            case .outputStreamCreationFailed? = reason(URL(filePath: directory.path(of: "no/out"))),
            case .outputStreamURLInvalid? = reason(try "http://h/f".asURL())
        else {
            Issue.record("a reason is another")
            return
        }
        #expect(try Data(contentsOf: file) == form.encode())
    }
}
