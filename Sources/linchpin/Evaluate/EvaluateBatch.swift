internal import Foundation
internal import LinchpinTrust

/// Answers questions of standard input, a line each, before it reads the next.
struct EvaluateBatch {
    let profile: ValidationProfile

    /// Answers until the input ends and returns the exit code.
    func run() -> Int32 {
        var lines = LineReader(descriptor: FileHandle.standardInput.fileDescriptor)
        do {
            while let line = try lines.next() {
                try FileHandle.standardOutput.write(contentsOf: answer(to: line).line)
            }
            return 0
        } catch {
            FileHandle.standardError.write(Data("linchpin evaluate: \(error)\n".utf8))
            return 2
        }
    }

    /// The answer to one line, whatever it holds.
    func answer(to line: LineReader.Line) -> EvaluateAnswer {
        switch line {
        case .tooLong:
            return EvaluateAnswer(id: nil, refusal: "the line is longer than \(LineReader.longestLine) bytes")
        case .bytes(let bytes):
            let question = EvaluateQuestion(line: bytes)
            do {
                let refusal = try question.evaluation(profile).refusal()
                return EvaluateAnswer(id: question.id, refusal: refusal.map { "\($0.code.rawValue): \($0.reason)" })
            } catch {
                return EvaluateAnswer(id: question.id, refusal: error.reason)
            }
        }
    }
}
