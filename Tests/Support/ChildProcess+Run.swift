extension ChildProcess {
    /// A program that did not succeed; what it wrote says why.
    package struct Unsuccessful: Error, CustomStringConvertible {
        let words: [String]
        /// How it ended; nil when it was still running and was ended.
        package let ending: Ending?
        let output: String
        package var description: String {
            "\(words.joined(separator: " ")): \(ending.map { "\($0)" } ?? "did not end")\n\(output)"
        }
    }

    /// Runs a program to its end and returns what it wrote.
    @discardableResult
    package static func run(
        _ program: String,
        _ arguments: [String],
        within seconds: Double = 20
    ) async throws -> String {
        let process = try ChildProcess(program, arguments, in: TemporaryDirectory())
        try await eventually(within: seconds) { process.ending != nil }
        let ending = process.ending
        guard ending == .exited(0) else {
            throw Unsuccessful(words: [program] + arguments, ending: ending, output: process.output)
        }
        return process.output
    }
}
