import Foundation

/// Starts the servers, lets the two clients take turns, and reports.
final class Bench {
    let isQuick: Bool
    let report: Report
    let nginx: Nginx

    init(isQuick: Bool, isJSON: Bool) throws {
        self.isQuick = isQuick
        report = Report(isJSON: isJSON)
        nginx = try Nginx()
        // Where a download goes until it is whole: the memory that the servers' files are in as well.
        setenv("TMPDIR", nginx.directory.path, 1)
        // A client that ends must not end this.
        signal(SIGPIPE, SIG_IGN)
    }

    func stop() { nginx.stop() }

    func run() throws {
        for version in ["1.1", "2"] {
            for concurrency in [1, 32, 128] { try requests(version, concurrency) }
        }
        try handshakes()
        try largeTransfers()
        try requestsInFlight()
        try instructions()
        try report.finish()
    }

    /// The same client in two makes.
    struct Pair {
        let ours: Child
        let floor: Child

        func finish() {
            ours.finish()
            floor.finish()
        }
    }

    /// What both clients are started with.
    struct Setting {
        let url: String
        var version = "1.1"
        var concurrency = 1
        var trust = "none"
        var connections: Int?

        var arguments: [String] { [url, version, "\(concurrency)", trust] + (connections.map { ["\($0)"] } ?? []) }
    }

    func pair(_ setting: Setting) throws -> Pair {
        Pair(
            ours: try Child([Self.program, "worker"] + setting.arguments, on: .client),
            floor: try Child([Self.sibling("floor-bench")] + setting.arguments, on: .client)
        )
    }

    static let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

    /// Another program of this package.
    static func sibling(_ name: String) -> String {
        URL(filePath: program).deletingLastPathComponent().appending(path: name).path
    }
}
