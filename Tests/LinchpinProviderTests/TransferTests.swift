import Dispatch
import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Testing

@Suite struct TransferTests {
    private static let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })

    private func progress(
        of call: Call,
        by provider: EndpointProvider<Call>
    ) async -> (Result<Response, ProviderError>, [ProgressResponse]) {
        let steps = Recorder<ProgressResponse>()
        let result = await withCheckedContinuation { continuation in
            provider.request(call, callbackQueue: nil, progress: { steps.record($0) }) {
                continuation.resume(returning: $0)
            }
        }
        return (result, steps.events)
    }

    @Test(arguments: [false, true])
    func `a file is uploaded with its progress`(_ isTracked: Bool) async throws {
        let world = try World { .text("\($0.method) \($0.body.count) \($0.body == Self.bytes)") }
        let directory = try TemporaryDirectory()
        let file = URL(fileURLWithPath: directory.path(of: "upload"))
        try Self.bytes.write(to: file)
        let provider = EndpointProvider<Call>(session: world.session, trackInflights: isTracked)
        let call = world.call {
            $0.method = .put
            $0.task = .uploadFile(file)
        }
        let (result, steps) = await progress(of: call, by: provider)
        #expect(result.summary == "200 PUT 300000 true")
        #expect(steps.allSatisfy { (0...1).contains($0.progress) })
        #expect(steps.map(\.completed) == Array(repeating: false, count: steps.count - 1) + [true])
        #expect(steps.dropLast().last?.progressObject?.completedUnitCount == 300_000)
    }

    @Test func `a form is uploaded, with parameters beside it, and is no body of a GET`() async throws {
        let world = try World { request in
            let isForm = request.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true
            let body = String(decoding: request.body, as: UTF8.self)
            return .text("\(request.target) \(isForm) \(body.contains("name=\"a\"\r\n\r\nbytes\r\n"))")
        }
        let form = MultipartFormData()
        form.append(Data("bytes".utf8), withName: "a")
        let tasks: [RequestTask] = [
            .uploadMultipartFormData(form),
            .uploadCompositeMultipartFormData(form, urlParameters: ["q": 1]),
        ]
        for (task, target) in zip(tasks, ["/", "/?q=1"]) {
            let post = world.call {
                $0.method = .post
                $0.task = task
            }
            #expect(await world.provider().outcome(of: post).summary == "200 \(target) true true")
            let get = await world.provider().outcome(of: world.call { $0.task = task })
            guard case .failure = get else {
                Issue.record("a GET was sent: \(get.summary)")
                continue
            }
        }
        #expect(world.server.log.requests.map(\.method) == ["POST", "POST"])
    }

    @Test func `a form of parts is the form that the parts say`() async throws {
        let directory = try TemporaryDirectory()
        let file = URL(fileURLWithPath: directory.path(of: "note.txt"))
        try Data("from a file".utf8).write(to: file)
        let world = try World { .text(String(decoding: $0.body, as: UTF8.self)) }
        let form: MultipartFormData = [
            MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: "plain"),
            MultipartFormBodyPart(provider: .data(Data("2".utf8)), name: "named", fileName: "a", mimeType: "x/y"),
            MultipartFormBodyPart(provider: .file(file), name: "file"),
            MultipartFormBodyPart(provider: .file(file), name: "renamed", fileName: "b.bin"),
            MultipartFormBodyPart(provider: .stream(InputStream(data: Data("3".utf8)), 1), name: "stream"),
        ]
        let call = world.call {
            $0.method = .put
            $0.task = .uploadMultipartFormData(form)
        }
        let body = try await world.provider().request(call).mapString()
        let dispositions = body.components(separatedBy: "\r\n").filter { $0.hasPrefix("Content-") }
        #expect(
            dispositions == [
                #"Content-Disposition: form-data; name="plain""#,
                #"Content-Disposition: form-data; name="named"; filename="a""#, "Content-Type: x/y",
                #"Content-Disposition: form-data; name="file"; filename="note.txt""#, "Content-Type: text/plain",
                #"Content-Disposition: form-data; name="renamed"; filename="b.bin""#,
                "Content-Type: application/octet-stream",
                #"Content-Disposition: form-data; name="stream"; filename="""#,
                "Content-Type: application/octet-stream",
            ]
        )
        #expect(body.components(separatedBy: "from a file").count == 3)
    }

    @Test(arguments: [
        (HTTPMethod.get, false, TaskError.Code.formWithoutBody), (.head, false, .formWithoutBody),
        (.delete, false, .formWithoutBody), (.options, false, .formWithoutBody), (.trace, false, .formWithoutBody),
        (.post, true, .emptyForm), (.put, true, .emptyForm), (.get, true, .formWithoutBody), (.post, false, nil),
        (.patch, false, nil), (HTTPMethod(rawValue: "UPLOAD"), false, nil),
    ])
    func `a form that cannot be sent is an error, on the network and in a stub`(
        _ method: HTTPMethod,
        _ isEmpty: Bool,
        _ code: TaskError.Code?
    ) async throws {
        let world = try World()
        let form = MultipartFormData(parts: [])
        if !isEmpty { form.append(Data("1".utf8), withName: "a") }
        for task in [
            RequestTask.uploadMultipartFormData(form),
            .uploadCompositeMultipartFormData(form, urlParameters: ["q": 1]),
        ] {
            let call = world.call {
                $0.method = method
                $0.task = task
            }
            let stub = EndpointProvider<Call>(stubClosure: EndpointProvider.immediatelyStub)
            for provider in [world.provider(), stub] {
                let result = await provider.outcome(of: call)
                guard let code else {
                    #expect(result.summary.hasPrefix("200 "))
                    continue
                }
                guard case .failure(.parameterEncoding(let cause as TargetError)) = result else {
                    Issue.record("another outcome: \(result)")
                    continue
                }
                #expect((cause.cause as? TaskError)?.code == code && cause.field == "task")
            }
        }
        #expect(world.server.log.requests.count == (code == nil ? 2 : 0))
    }

    @Test func `a form whose file is missing says so`() async throws {
        let world = try World()
        let missing = MultipartFormBodyPart(provider: .file(URL(fileURLWithPath: "/nowhere/a.txt")), name: "a")
        let call = world.call {
            $0.method = .post
            $0.task = .uploadMultipartFormData([missing])
        }
        let error = await #expect(throws: ProviderError.self) { try await world.provider().request(call) }
        guard case .parameterEncoding(let cause as TargetError) = error,
            case .multipartEncodingFailed = error?.sessionError
        else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause.target == "Call" && cause.field == "task.form")
        #expect(world.server.log.connections == 0)
    }

    @Test(arguments: ["missing", "."])
    func `a file that cannot be read is an error that names the target`(_ name: String) async throws {
        let world = try World()
        let directory = try TemporaryDirectory()
        let call = world.call {
            $0.method = .post
            $0.task = .uploadFile(URL(fileURLWithPath: directory.path(of: name)))
        }
        let result = await world.provider().outcome(of: call)
        guard case .failure(.parameterEncoding(let cause as TargetError)) = result else {
            Issue.record("another outcome: \(result)")
            return
        }
        #expect(cause.target == "Call" && cause.field == "task.uploadFile")
        #expect(world.server.log.connections == 0)
    }

    @Test(arguments: [200, 404])
    func `a download goes to its destination, with its parameters and its progress`(_ status: Int) async throws {
        let world = try World { request in
            .init(status: status, body: request.target == "/?a=1" ? Self.bytes : Data())
        }
        let directory = try TemporaryDirectory()
        let place = URL(fileURLWithPath: directory.path(of: "deep/file"))
        let call = world.call {
            $0.validationType = .successCodes
            $0.task = .downloadParameters(
                parameters: ["a": 1],
                encoding: URLEncoding.default,
                destination: { _, _ in (place, .createIntermediateDirectories) }
            )
        }
        let (result, steps) = await progress(of: call, by: world.provider())
        #expect(result.summary == (status == 200 ? "200 " : "refused 404 404"))
        #expect(try Data(contentsOf: place) == Self.bytes)
        #expect(steps.last { !$0.completed }?.progress == 1)
        // The file is there, and it is not replaced unasked.
        let again = await world.provider().outcome(of: call)
        guard case .failure(.underlying(SessionError.downloadedFileMoveFailed, _)) = again else {
            Issue.record("another outcome: \(again)")
            return
        }
    }

    @Test func `every caller of one request sees its progress`() async throws {
        let world = try World { _ in .init(status: 200, body: Self.bytes) }
        let provider = EndpointProvider<Call>(session: world.session, trackInflights: true)
        async let first = progress(of: world.call(), by: provider)
        async let second = progress(of: world.call(), by: provider)
        for (result, steps) in await [first, second] {
            #expect(try result.get().data == Self.bytes)
            #expect(steps.last?.completed == true)
        }
    }

    @Test func `stubs have no progress`() async {
        let provider = EndpointProvider<Call>(stubClosure: EndpointProvider.immediatelyStub)
        let (result, steps) = await progress(of: Call("http://h"), by: provider)
        #expect(result.summary == "200 sample")
        #expect(steps.isEmpty)
    }

    @Test func `a signature refuses a body that it cannot see`() async throws {
        let world = try World()
        let plugin = RequestSigningPlugin(keyID: "k", key: Data("k".utf8))
        let call = world.call {
            $0.method = .post
            $0.task = .uploadFile(URL(fileURLWithPath: "/dev/null"))
        }
        let error = await #expect(throws: ProviderError.self) {
            try await world.provider(plugins: [plugin]).request(call)
        }
        guard case .urlRequestValidationFailed = error?.sessionError else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(world.server.log.connections == 0)
    }
}
