import Foundation

/// A program such as `curl` or `openssl`, run to its end.
struct ClientTool {
    let status: Int32
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a program of the search path; `input` is all that it can read. It is ended after 20 seconds.
    static func run(_ name: String, _ arguments: [String], input: String = "") throws -> ClientTool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["timeout", "20", name] + arguments
        let (inputPipe, outputPipe) = (Pipe(), Pipe())
        // A file, since a program could fill one pipe while the other is read.
        let directory = try TemporaryDirectory()
        let errorPath = try directory.write("", to: "errors")
        process.standardInput = inputPipe
        process.standardOutput = outputPipe
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
        try process.run()
        try? inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try inputPipe.fileHandleForWriting.close()
        let output = try outputPipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let errors = try FileHandle(forReadingFrom: URL(fileURLWithPath: errorPath)).readToEnd() ?? Data()
        return ClientTool(
            status: process.terminationStatus,
            output: output,
            errors: String(decoding: errors, as: UTF8.self)
        )
    }

    /// Asks with curl, trusting one file of roots.
    static func curl(_ url: URL, roots: String? = nil, _ more: String...) throws -> ClientTool {
        try run("curl", ["-sS", "--http1.1"] + (roots.map { ["--cacert", $0] } ?? []) + more + [url.absoluteString])
    }

    /// Shakes hands with `openssl s_client` and asks for `/` once.
    static func client(port: UInt16, _ more: String...) throws -> ClientTool {
        try run(
            "openssl",
            ["s_client", "-connect", "127.0.0.1:\(port)", "-ign_eof"] + more,
            input: "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
    }
}
