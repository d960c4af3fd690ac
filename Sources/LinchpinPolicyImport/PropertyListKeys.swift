internal import Foundation
internal import FoundationXML
internal import LinchpinTrust

/// The keys of a property list in XML, each as often as it is written.
///
/// PropertyListSerialization keeps the last of two values with one key and says nothing. In a configuration the one that
/// is dropped may be the one that was meant.
enum PropertyListKeys {
    /// Why a list is not read, and the key that is at fault.
    struct Fault: Error {
        let reason: String
        var key: String?
        var line: Int?
    }

    static func refuseRepetition(in plist: Data) throws(Fault) {
        let parser = XMLParser(data: plist)
        let reading = Reading()
        let isComplete = parser.parse(for: reading)
        if let fault = reading.fault { throw fault }
        guard isComplete else { throw Fault(reason: "it is not XML", line: max(parser.lineNumber, 1)) }
    }

    private final class Reading: NSObject, XMLParserDelegate {
        private(set) var fault: Fault?
        /// The keys of the dictionaries that are open.
        private var levels: [Set<String>] = []
        private var key: String?

        func parser(
            _ parser: XMLParser,
            didStartElement elementName: String,
            namespaceURI: String?,
            qualifiedName qName: String?,
            attributes attributeDict: [String: String]
        ) {
            switch elementName {
            case "dict": levels.append([])
            case "key": key = ""
            default: break
            }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { key?.append(string) }

        func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
            key?.append(String(decoding: CDATABlock, as: UTF8.self))
        }

        func parser(
            _ parser: XMLParser,
            didEndElement elementName: String,
            namespaceURI: String?,
            qualifiedName qName: String?
        ) {
            switch elementName {
            case "dict": _ = levels.popLast()
            case "key":
                guard let name = key, !levels.isEmpty else { return }
                key = nil
                guard !levels[levels.count - 1].insert(name).inserted else { return }
                let reason = "the key \(PolicyNode.quoted(name)) stands twice in its dictionary; keep one"
                fault = Fault(reason: reason, key: name, line: parser.lineNumber)
                parser.abortParsing()
            default: break
            }
        }
    }
}
