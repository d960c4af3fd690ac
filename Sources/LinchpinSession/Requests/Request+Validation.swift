internal import Foundation
internal import FoundationNetworking
internal import Synchronization

extension Request {
    /// Accepts a status from 200 to 299, and a Content-Type that the request's Accept field names.
    ///
    /// A response that is not accepted ends the request with `.responseValidationFailed`. Checks are made in the order
    /// in which they were added, on a queue of the session's; the first that fails is the error.
    @discardableResult
    public func validate() -> Self {
        validate(statusCode: ResponseValidation.defaultStatusCodes).add { outcome in
            outcome.contentTypeError(acceptable: ResponseValidation.acceptableContentTypes(for: outcome.request))
        }
    }

    /// Accepts these statuses only.
    @discardableResult
    public func validate<Codes: Sequence<Int> & Sendable>(statusCode acceptableStatusCodes: Codes) -> Self {
        add { outcome in
            guard let response = outcome.response else { return nil }
            do throws(SessionError) {
                try ResponseValidation.checkStatus(of: response, acceptable: acceptableStatusCodes)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Accepts these content types only, of a response that has a body; `text/*`, `*/json` and `*/*` are ranges.
    @discardableResult
    public func validate<Types: Sequence<String> & Sendable>(
        contentType acceptableContentTypes: @escaping @Sendable @autoclosure () -> Types
    ) -> Self {
        add { $0.contentTypeError(acceptable: Array(acceptableContentTypes())) }
    }

    /// Adds a check.
    func add(_ validator: @escaping Validator) -> Self {
        status.withLock { $0.makeExtras().closures.validators.append(validator) }
        return self
    }
}

extension ExchangeOutcome {
    fileprivate func contentTypeError(acceptable: [String]) -> SessionError? {
        guard let response else { return nil }
        do throws(SessionError) {
            try ResponseValidation.checkContentType(
                of: response,
                bodyIsEmpty: bodyIsEmpty,
                acceptable: acceptable
            )
            return nil
        } catch {
            return error
        }
    }

    /// Whether there is no body. Of a stream that is not known any more.
    private var bodyIsEmpty: Bool {
        if let fileURL {
            let size = (try? FileManager.default.attributesOfItem(atPath: fileURL.path))?[.size] as? Int
            return size ?? 0 == 0
        }
        return data?.isEmpty ?? false
    }
}
