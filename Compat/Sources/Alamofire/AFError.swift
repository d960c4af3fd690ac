/// Alamofire's name for what a request ends with.
public typealias AFError = SessionError
/// A result with Alamofire's error.
public typealias AFResult<Success> = Result<Success, AFError>
/// A response with Alamofire's error.
public typealias AFDataResponse<Success: Sendable> = DataResponse<Success, AFError>

/// A download with Alamofire's error.
public typealias AFDownloadResponse<Success: Sendable> = DownloadResponse<Success, AFError>

extension Error {
    /// The error, if it is an ``AFError``.
    public var asAFError: AFError? { self as? AFError }

    /// The error as an ``AFError``; the program ends if it is another one.
    public func asAFError(orFailWith message: @autoclosure () -> String) -> AFError {
        guard let error = asAFError else { fatalError(message()) }
        return error
    }
}
