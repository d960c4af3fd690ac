/// Why a key, a certificate, a file or a local server could not be made.
///
/// Compare ``code`` in programs and tests; ``reason`` is for people. Two errors are equal when their codes are.
public struct TestingError: Error, Sendable {
    /// What kind of failure this is.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A short stable word such as `malformedName`.
        public let rawValue: String

        /// Wraps a word; use the static members.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// OpenSSL could not make or read a key.
        public static let keyUnusable = Code(rawValue: "keyUnusable")
        /// A name, an address or another value cannot stand in a certificate.
        public static let malformedName = Code(rawValue: "malformedName")
        /// OpenSSL could not make a certificate.
        public static let certificateUnusable = Code(rawValue: "certificateUnusable")
        /// A private key does not belong to the certificate, or there is no certificate.
        public static let identityUnusable = Code(rawValue: "identityUnusable")
        /// A file could not be written.
        public static let unwritableFile = Code(rawValue: "unwritableFile")
        /// The server could not listen or could not be configured.
        public static let serverUnavailable = Code(rawValue: "serverUnavailable")
    }

    /// What kind of failure this is.
    public let code: Code
    /// What went wrong, in a sentence.
    public let reason: String

    init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension TestingError: Equatable {
    /// Whether both have the same ``code``.
    public static func == (left: TestingError, right: TestingError) -> Bool { left.code == right.code }
}

extension TestingError: CustomStringConvertible {
    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
