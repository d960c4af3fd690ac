public import Foundation

/// What an API itself calls an error: an answer whose code is not one of a success.
public struct EnvelopeError: Error, Sendable {
    /// The API's code.
    public let code: EnvelopeCode
    /// What the API says about it.
    public let message: String?
    /// The response.
    public let response: Response

    /// Makes an error.
    public init(code: EnvelopeCode, message: String?, response: Response) {
        self.code = code
        self.message = message
        self.response = response
    }
}

extension EnvelopeError: CustomStringConvertible, LocalizedError {
    /// Code and message.
    public var description: String { "the API answered \(code)" + (message.map { ": \($0)" } ?? "") }

    /// The API's own message; where there is none, the same as ``description``.
    public var errorDescription: String? { message ?? description }
}

/// What came of a request whose answer is an envelope.
public enum EnvelopeResult<Value: Sendable>: Sendable {
    /// The API calls it a success.
    case success(Value)
    /// The API calls it an error.
    case error(EnvelopeError)
    /// There is no answer, or none of the API's.
    case failure(ProviderError)

    init(catching make: () throws -> Value) {
        do {
            self = .success(try make())
        } catch let error as EnvelopeError {
            self = .error(error)
        } catch {
            self = .failure(error as? ProviderError ?? .underlying(error, nil))
        }
    }

    /// The value.
    ///
    /// - Throws: ``EnvelopeError`` or ``ProviderError``.
    public func get() throws -> Value {
        switch self {
        case .success(let value): return value
        case .error(let error): throw error
        case .failure(let error): throw error
        }
    }
}
