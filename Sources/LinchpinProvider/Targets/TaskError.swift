public import Foundation

/// A task that cannot be carried out, whatever the server says.
public struct TaskError: Error, Hashable, Sendable {
    /// What is wrong, for code.
    public struct Code: Hashable, Sendable {
        private let name: String

        private init(_ name: String) { self.name = name }

        /// A form without any part.
        public static let emptyForm = Code("emptyForm")
        /// A form as the body of a method that has none, such as GET or DELETE.
        public static let formWithoutBody = Code("formWithoutBody")
        /// A stream of what is uploaded as a file or a form, or goes to a file.
        public static let notStreamable = Code("notStreamable")
    }

    /// What is wrong, for code.
    public let code: Code
    /// What is wrong, for people.
    public let reason: String

    /// Only the codes are compared.
    public static func == (left: TaskError, right: TaskError) -> Bool { left.code == right.code }

    /// Only the code is hashed.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension TaskError: CustomStringConvertible, LocalizedError {
    /// ``reason``.
    public var description: String { reason }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
