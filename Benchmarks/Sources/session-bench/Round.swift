/// What a client says of a round.
struct Round {
    let count: Double
    let seconds: Double
    let cpuSeconds: Double

    init(_ line: String) throws {
        let numbers = line.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 4 else { throw BenchError("a client said \"\(line)\"") }
        guard numbers[3] == 0, numbers[0] > 0 else { throw BenchError("\(numbers[3]) of \(numbers[0]) failed") }
        (count, seconds, cpuSeconds) = (numbers[0], numbers[1], numbers[2])
    }

    var rate: Double { count / seconds }
    var cpuSecondsFor10000: Double { cpuSeconds / count * 10_000 }
}
