public import Foundation
public import FoundationNetworking

/// Makes text of a body.
///
/// The encoding is the given one; else the `charset` of the response's Content-Type; else the one of the body's byte
/// order mark; else UTF-8. Charsets mean what they mean in browsers (WHATWG Encoding §4.2): `gb2312` and `gbk` are read
/// as GB18030, `shift_jis` as code page 932, `euc-kr` as 949, `iso-8859-1` as windows-1252; only `us-ascii` is ASCII and
/// no more. Alamofire falls back on ISO 8859-1 instead, which makes nonsense of everything else.
///
/// Bytes that are no text are an error and never replaced; so is a charset that is not known.
public struct StringResponseSerializer: ResponseSerializer {
    /// Changes the body before it is read.
    public let dataPreprocessor: any DataPreprocessor
    /// What to read the body as, whatever the response says; nil to go by the response.
    public let encoding: String.Encoding?
    /// The statuses of responses that may have no body.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may have no body.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Makes a serializer.
    public init(
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.encoding = encoding
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// The text, or an empty one for a body that is empty and may be.
    ///
    /// - Throws: the given error; ``SessionError`` `.responseSerializationFailed` with `.inputDataNilOrZeroLength`,
    ///   `.stringSerializationFailed` or `.unsupportedCharset`; what the preprocessor throws.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> String {
        guard let body = try body(data, request, response, error) else { return "" }
        return try TextDecoding.text(of: body, encoding: encoding, response: response)
    }
}

extension ResponseSerializer where Self == StringResponseSerializer {
    /// Makes text of a body.
    public static var string: StringResponseSerializer { StringResponseSerializer() }

    /// Makes text of a body.
    public static func string(
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) -> StringResponseSerializer {
        StringResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            encoding: encoding,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
    }
}
