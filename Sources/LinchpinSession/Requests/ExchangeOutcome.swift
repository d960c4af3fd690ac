internal import Foundation
internal import FoundationNetworking

/// How an exchange ended, before anything was made of its body.
struct ExchangeOutcome: Sendable {
    var request: URLRequest?
    var response: HTTPURLResponse?
    var headers: HTTPHeaders = [:]
    var data: Data?
    var error: SessionError?

    /// The response with the value that `serialize` makes of the body, where the exchange itself did not fail.
    func response<Value>(
        _ serialize: (Data?) throws(SessionError) -> Value
    ) -> DataResponse<Value, SessionError> {
        let result: Result<Value, SessionError>
        if let error {
            result = .failure(error)
        } else {
            result = Result { () throws(SessionError) in try serialize(data) }
        }
        return DataResponse(request: request, response: response, headers: headers, data: data, result: result)
    }
}
