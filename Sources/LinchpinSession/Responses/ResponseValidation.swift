internal import Foundation
internal import FoundationNetworking

/// Whether a response is what the request accepts, as `validate()` asks.
enum ResponseValidation {
    /// What is accepted by default.
    static let defaultStatusCodes = 200..<300

    /// - Throws: ``SessionError`` `.responseValidationFailed(.unacceptableStatusCode)`.
    static func checkStatus(
        of response: HTTPURLResponse,
        acceptable: some Sequence<Int>
    ) throws(SessionError) {
        guard acceptable.contains(response.statusCode) else {
            throw .responseValidationFailed(reason: .unacceptableStatusCode(code: response.statusCode))
        }
    }

    /// Checks the Content-Type of a response that has a body. Parameters and case do not count; `text/*`, `*/json` and
    /// `*/*` are ranges. A response without a Content-Type, or with one that cannot be read, passes with `*/*` only.
    ///
    /// - Throws: ``SessionError`` `.responseValidationFailed` with `.missingContentType` or `.unacceptableContentType`.
    static func checkContentType(
        of response: HTTPURLResponse,
        bodyIsEmpty: Bool,
        acceptable: some Sequence<String>
    ) throws(SessionError) {
        guard !bodyIsEmpty else { return }
        let acceptable = Array(acceptable)
        let ranges = acceptable.compactMap(MediaRange.init)
        guard !ranges.contains(where: \.isEverything) else { return }
        guard let value = response.value(forHTTPHeaderField: "Content-Type"), let type = MediaRange(value) else {
            throw .responseValidationFailed(reason: .missingContentType(acceptableContentTypes: acceptable))
        }
        guard ranges.contains(where: { $0.contains(type) }) else {
            let text = "\(type.type)/\(type.subtype)"
            throw .responseValidationFailed(
                reason: .unacceptableContentType(acceptableContentTypes: acceptable, responseContentType: text)
            )
        }
    }

    /// What the request's Accept field says, `*/*` without one (RFC 9110 §12.5.1).
    static func acceptableContentTypes(for request: URLRequest?) -> [String] {
        let types = (request?.value(forHTTPHeaderField: "Accept") ?? "").split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        return types.isEmpty ? ["*/*"] : types
    }

    /// The error of the caller's own validation, as the cause of `.customValidationFailed` unless it is a
    /// ``SessionError``.
    static func error(_ error: any Error) -> SessionError {
        error as? SessionError ?? .responseValidationFailed(reason: .customValidationFailed(error: error))
    }
}
