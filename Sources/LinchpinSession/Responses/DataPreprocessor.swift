public import Foundation

/// Changes a body before a serializer reads it.
public protocol DataPreprocessor: Sendable {
    /// The body to read.
    ///
    /// - Throws: any error; it reaches the caller as `.responseSerializationFailed(.customSerializationFailed)`.
    func preprocess(_ data: Data) throws -> Data
}

/// Changes nothing.
public struct PassthroughPreprocessor: DataPreprocessor {
    /// Makes a preprocessor.
    public init() {}

    /// The body as it is.
    public func preprocess(_ data: Data) throws -> Data { data }
}

/// Takes away the `)]}',` and the line feed which some servers write before JSON, so that no script can be made of it.
public struct GoogleXSSIPreprocessor: DataPreprocessor {
    private static let prefix = Data(")]}',\n".utf8)

    /// Makes a preprocessor.
    public init() {}

    /// The body without the prefix; one that has none as it is.
    public func preprocess(_ data: Data) throws -> Data {
        data.starts(with: Self.prefix) ? Data(data.dropFirst(Self.prefix.count)) : data
    }
}

extension DataPreprocessor where Self == PassthroughPreprocessor {
    /// Changes nothing.
    public static var passthrough: PassthroughPreprocessor { PassthroughPreprocessor() }
}

extension DataPreprocessor where Self == GoogleXSSIPreprocessor {
    /// Takes away the prefix `)]}',` and a line feed.
    public static var googleXSSI: GoogleXSSIPreprocessor { GoogleXSSIPreprocessor() }
}
