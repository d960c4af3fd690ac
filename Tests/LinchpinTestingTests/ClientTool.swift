import Foundation

/// A program such as `curl` or `openssl`, run to its end.
struct ClientTool {
    let status: Int32
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a program of the search path; `input` is all that it can read.
    static func run(_ name: String, _ arguments: [String], input: Data = Data()) throws -> ClientTool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        let (input_, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = input_
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        input_.fileHandleForWriting.write(input)
        try input_.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let words = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return ClientTool(
            status: process.terminationStatus,
            output: data,
            errors: String(decoding: words, as: UTF8.self)
        )
    }
}
