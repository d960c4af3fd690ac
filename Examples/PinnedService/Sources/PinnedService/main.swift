import Foundation

// A command-line client of an internal service: an authority of the company's own, a pinned key, a token.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.isEmpty {
    exit(await (try Demonstration()).run() ? 0 : 1)
}
guard let command = Command(arguments) else {
    FileHandle.standardError.write(Data("\(Command.usage)\n".utf8))
    exit(2)
}
exit(await command.run())
