internal import Foundation
internal import FoundationXML
internal import LinchpinTrust

/// An element of an XML document, with where it is.
struct XMLNode {
    let name: String
    let attributes: [String: String]
    /// Where it begins, from 1.
    let line: Int
    /// The names of the elements around it but the outermost, and its own.
    let path: String
    var text = ""
    var children: [XMLNode] = []

    /// A document that cannot be read.
    struct Malformed: Error {
        let reason: String
        let line: Int
    }

    /// What an error says of where it is.
    var place: String { "line \(line), \(path)" }

    /// The outermost element.
    static func root(of document: Data) throws(Malformed) -> XMLNode {
        guard document.count <= PolicyText.mostBytes else {
            throw Malformed(reason: "there are more than \(PolicyText.mostBytes) bytes", line: 1)
        }
        try refuseDeclarations(document)
        let parser = XMLParser(data: document)
        let builder = XMLTreeBuilder()
        let isComplete = parser.parse(for: builder)
        if let malformed = builder.malformed { throw malformed }
        guard isComplete, let root = builder.root else {
            throw Malformed(reason: "it is not XML: it ends too soon", line: max(parser.lineNumber, 1))
        }
        return root
    }

    /// Foundation tells nothing of declared entities here, and leaves out what refers to them: part of a host's name would
    /// be gone without a word. No configuration has a document type, nor another encoding in which one could hide.
    private static func refuseDeclarations(_ document: Data) throws(Malformed) {
        guard let text = String(validating: document, as: UTF8.self), !text.utf8.contains(0) else {
            throw Malformed(reason: "the text is not UTF-8; save it as UTF-8", line: 1)
        }
        let declaration = text.prefix { $0 != ">" }.lowercased()
        if declaration.contains("<?xml"), declaration.contains("encoding") {
            guard declaration.contains("\"utf-8\"") || declaration.contains("'utf-8'") else {
                throw Malformed(reason: "the encoding is another one than UTF-8; save it as UTF-8", line: 1)
            }
        }
        guard let range = text.firstRange(of: "<!DOCTYPE") else { return }
        let line = text[..<range.lowerBound].count { $0.isNewline } + 1
        throw Malformed(reason: "it has a document type, which a configuration has no need of", line: line)
    }
}

/// Builds the elements from what the parser tells.
private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private(set) var root: XMLNode?
    private(set) var malformed: XMLNode.Malformed?
    private var open: [XMLNode] = []

    /// Many times what anybody nests.
    private static let mostLevels = 64

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?,
        attributes attributeDict: [String: String]
    ) {
        guard root == nil else { return refuse("it is not XML: an element follows the outermost one", parser) }
        guard open.count < Self.mostLevels else { return refuse("the elements are nested too deeply", parser) }
        let path = open.dropFirst().map(\.name) + [elementName]
        open.append(
            XMLNode(
                name: elementName,
                attributes: attributeDict,
                line: parser.lineNumber,
                path: path.joined(separator: "/")
            )
        )
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?
    ) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if !open.isEmpty { open[open.count - 1].text += string }
    }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        if !open.isEmpty { open[open.count - 1].text += String(decoding: CDATABlock, as: UTF8.self) }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        let words = (parseError as NSError).userInfo["NSXMLParserErrorMessage"] as? String
        let reason = words.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? "\(parseError)"
        if malformed == nil { refuse("it is not XML: \(reason)", parser) }
    }

    private func refuse(_ reason: String, _ parser: XMLParser) {
        malformed = XMLNode.Malformed(reason: reason, line: parser.lineNumber)
        parser.abortParsing()
    }
}
