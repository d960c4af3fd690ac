public import Foundation
internal import LinchpinTrust

/// What keeps a configuration of somebody else's format from becoming a policy: every finding, with its place.
public struct PolicyImportError: Error, Sendable {
    /// Something that was found.
    public struct Finding: Hashable, Sendable {
        /// The name of the key, element or attribute, as it is written: what may be said to be left out.
        public let field: String
        /// Where it is, such as `TSKPinnedDomains.example.com.TSKReportUris` or `line 12, domain-config/pin-set/pin`.
        public let place: String
        /// Why a policy cannot have it, or what is wrong with it, and what leaving it out means.
        public let reason: String
        /// Whether the rest is a whole policy without it. False for what is malformed.
        public let canBeLeftOut: Bool
    }

    /// In the order of the configuration.
    public let findings: [Finding]
}

extension PolicyImportError.Finding: CustomStringConvertible {
    /// One line.
    public var description: String { "\(place): \(reason)" + (canBeLeftOut ? " (may be left out: \(field))" : "") }
}

extension PolicyImportError: CustomStringConvertible, LocalizedError {
    /// A line for each finding.
    public var description: String { findings.map(\.description).joined(separator: "\n") }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
