import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let rest = Array(arguments.dropFirst())
switch arguments.first {
case "certs": exit(CertsCommand.run(rest))
case "evaluate": exit(EvaluateCommand.run(rest))
case "demo": exit(await DemoCommand.run(rest))
case "explain": exit(ExplainCommand.run(rest))
case "policy": exit(await PolicyCommand.run(rest))
case "help", "--help", "-h":
    print(Usage.text)
default:
    if let command = arguments.first {
        FileHandle.standardError.write(Data("linchpin: unknown command: \(command)\n\n".utf8))
    }
    FileHandle.standardError.write(Data("\(Usage.text)\n".utf8))
    exit(2)
}
