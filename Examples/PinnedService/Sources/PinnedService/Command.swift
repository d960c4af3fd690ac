import Foundation
import Linchpin

/// The command line: what is asked of which service.
struct Command {
    static let usage = """
        usage: pinned-service --url URL --ca FILE --pin sha256/… --token-file FILE list
               pinned-service --url URL --ca FILE --pin sha256/… --token-file FILE add NAME
               pinned-service          shows itself at work with a service of its own
        """

    private let options: [String: String]
    private let words: [String]

    /// Nil when the arguments are none.
    init?(_ arguments: [String]) {
        var options: [String: String] = [:]
        var words: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            guard ["--url", "--ca", "--pin", "--token-file"].contains(word), let value = rest.popFirst() else {
                return nil
            }
            options[word] = value
        }
        guard options.count == 4, words == ["list"] || words.count == 2 && words[0] == "add" else { return nil }
        self.options = options
        self.words = words
    }

    /// Does it, and says what came of it.
    ///
    /// - Returns: 0 when it was done, 1 when the service was refused, or refused us.
    func run() async -> Int32 {
        do {
            let token = try String(contentsOfFile: options["--token-file"] ?? "", encoding: .utf8)
            guard let service = URL(string: options["--url"] ?? "") else { throw URLError(.badURL) }
            let client = try InventoryClient(
                service: service,
                authorityFile: options["--ca"] ?? "",
                pin: options["--pin"] ?? "",
                token: token.trimmingCharacters(in: .whitespacesAndNewlines)
            )
            let items = words[0] == "add" ? [try await client.add(words[1])] : try await client.items()
            for item in items { print("\(item.id)  \(item.name)") }
            return 0
        } catch {
            // Errors never hold the token.
            print("pinned-service: \(error)")
            return 1
        }
    }
}
