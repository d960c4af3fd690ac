import Foundation
import Glibc

/// A program such as `curl` or `openssl`, run to its end.
struct ClientTool {
    let status: Int32
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    struct Failure: Error { let code: Int32 }

    /// Runs a program of the search path; `input` is all that it can read. It is ended after 20 seconds.
    ///
    /// It reads and writes files, so that nothing has to be read while it runs.
    static func run(_ name: String, _ arguments: [String], input: String = "") throws -> ClientTool {
        let directory = try TemporaryDirectory()
        let files = try [directory.write(input, to: "0"), directory.write("", to: "1"), directory.write("", to: "2")]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, path) in files.enumerated() {
            posix_spawn_file_actions_addopen(&actions, Int32(number), path, number == 0 ? O_RDONLY : O_WRONLY, 0)
        }
        let words = (["timeout", "20", name] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let failure = posix_spawnp(&pid, "timeout", &actions, nil, words + [nil], environ)
        guard failure == 0 else { throw Failure(code: failure) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure(code: errno) }
        }
        // WEXITSTATUS of wait(2); 128 and the number for a signal, as shells have it.
        return ClientTool(
            status: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F),
            output: try Data(contentsOf: URL(fileURLWithPath: files[1])),
            errors: try directory.text(of: "2")
        )
    }

    /// Asks with curl, trusting one file of roots.
    static func curl(_ url: URL, roots: String? = nil, _ more: String...) throws -> ClientTool {
        try run("curl", ["-sS", "--http1.1"] + (roots.map { ["--cacert", $0] } ?? []) + more + [url.absoluteString])
    }

    /// Shakes hands with `openssl s_client` and asks for `/` once.
    static func client(port: UInt16, _ more: String...) throws -> ClientTool { try client(port: port, more) }

    static func client(port: UInt16, _ more: [String]) throws -> ClientTool {
        try run(
            "openssl",
            ["s_client", "-connect", "127.0.0.1:\(port)", "-ign_eof"] + more,
            input: "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
    }
}
