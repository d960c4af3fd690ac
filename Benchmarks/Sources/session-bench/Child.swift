import Foundation

/// A program that is spoken to line by line over its standard input and output.
final class Child {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Which processor a program is to run on, where there are two; else any.
    enum Place: Int {
        case server = 0
        case client = 1
    }

    init(_ command: [String], on place: Place, errors: FileHandle = .standardError) throws {
        let pinned = ProcessInfo.processInfo.processorCount > 1 ? ["taskset", "-c", "\(place.rawValue)"] : []
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = pinned + command
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    /// `taskset` and `env` become the program, so its number is the child's.
    var processIdentifier: Int32 { process.processIdentifier }

    /// Gives a command and waits for one line of answer.
    func ask(_ command: String) throws -> String {
        try tell(command)
        return try line()
    }

    func tell(_ command: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8)) }

    /// The next line that the program writes.
    func line() throws -> String {
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw BenchError("\(process.arguments ?? []) ended") }
            unread.append(more)
        }
    }

    /// A field of `/proc/PID/status`, such as `VmRSS`, which counts KiB.
    func status(_ field: String) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
        for line in text.split(separator: "\n") where line.hasPrefix("\(field):") {
            if let value = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) }) {
                return value
            }
        }
        throw BenchError("no \(field) in /proc/\(processIdentifier)/status")
    }

    /// Waits for the program's end, which the end of its input brings about.
    func finish() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}
