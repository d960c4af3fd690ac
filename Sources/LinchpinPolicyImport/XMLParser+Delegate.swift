internal import Foundation
internal import FoundationXML

extension XMLParser {
    /// Parses what it has, and fetches nothing that the document names.
    ///
    /// - Returns: whether it came to the end of a whole document.
    func parse(for delegate: any XMLParserDelegate) -> Bool {
        self.delegate = delegate
        shouldResolveExternalEntities = false
        return withExtendedLifetime(delegate) { parse() }
    }
}
