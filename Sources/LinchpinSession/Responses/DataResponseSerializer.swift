public import Foundation
public import FoundationNetworking

/// Gives the body as it came.
public struct DataResponseSerializer: ResponseSerializer, BodySerializer {
    /// Changes the body before it is given.
    public let dataPreprocessor: any DataPreprocessor
    /// The statuses of responses that may have no body.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may have no body.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Makes a serializer.
    public init(
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// The body, or no bytes for one that is empty and may be.
    ///
    /// - Throws: the given error; ``SessionError`` `.responseSerializationFailed(.inputDataNilOrZeroLength)` for a body
    ///   that is empty and may not be; what the preprocessor throws.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> Data {
        try body(data, request, response, error) ?? Data()
    }
}

extension ResponseSerializer where Self == DataResponseSerializer {
    /// Gives the body as it came.
    public static var data: DataResponseSerializer { DataResponseSerializer() }

    /// Gives the body as it came.
    public static func data(
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) -> DataResponseSerializer {
        DataResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
    }
}
