import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "certs": exit(CertsCommand.run(Array(arguments.dropFirst())))
default:
    FileHandle.standardError.write(Data("usage: linchpin certs --output DIR [--force]\n".utf8))
    exit(2)
}
