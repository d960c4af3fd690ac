internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// What the Linchpin session is asked to send for a task.
struct TaskRequest {
    /// The request, with the body where that is no file.
    let request: URLRequest
    /// The body, where it is a file.
    private(set) var file: URL?
    let timeouts: Timeouts

    /// - Parameters:
    ///   - original: the task's own request.
    init(
        _ original: URLRequest,
        body: TaskParts.Body,
        cookies: TaskCookies,
        configuration: URLSessionConfiguration
    ) throws(URLError) {
        var request = original
        (request.httpBody, request.httpBodyStream) = (nil, nil)
        var hasBody = true
        switch body {
        case .data(let data): request.httpBody = data
        case .stream(let body): request.httpBodyStream = body.stream
        case .file(let url):
            try Self.check(url)
            file = url
        case .none, .fromDelegate: hasBody = false
        }
        for (name, value) in configuration.httpAdditionalHeaders ?? [:]
        where request.value(forHTTPHeaderField: "\(name)") == nil {
            request.setValue("\(value)", forHTTPHeaderField: "\(name)")
        }
        if hasBody, request.httpMethod == "POST", request.value(forHTTPHeaderField: "Content-Type") == nil {
            // Foundation says so of every such body.
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        cookies.prepare(&request)
        self.request = request
        timeouts = Timeouts(original, configuration)
    }

    private static func check(_ file: URL) throws(URLError) {
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw URLError(.fileDoesNotExist, url: file, "the file to be uploaded does not exist")
        }
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw URLError(.noPermissionsToReadFile, url: file, "the file to be uploaded cannot be read")
        }
    }
}

extension TaskCookies {
    /// Gives a request the storage's cookies, and keeps the Linchpin session from handling any.
    func prepare(_ request: inout URLRequest) {
        remove(from: &request)
        apply(to: &request)
        request.httpShouldHandleCookies = false
    }
}

extension Timeouts {
    /// A request's interval, where it is not Foundation's default, is put before the configuration's; it counts for
    /// making the connection too.
    fileprivate init(_ request: URLRequest, _ configuration: URLSessionConfiguration) {
        let own = request.timeoutInterval == 60 ? configuration.timeoutIntervalForRequest : request.timeoutInterval
        let idle = own > 0 ? own : 60
        let whole = configuration.timeoutIntervalForResource
        self.init(connect: idle, idle: idle, request: whole > 0 ? whole : nil)
    }
}
