/// How large a response may be. A larger one ends with ``TransportError/Code/responseTooLarge``.
public struct ResponseLimits: Hashable, Sendable {
    /// Of the status line and fields of all heads and trailers together, in bytes; 256 KiB by default.
    ///
    /// libcurl 7.88 itself refuses a line above 100 KB and more than 300 KB in all, over HTTP/2 more than 128 KB in all,
    /// whatever is said here.
    public var headerBytes: Int
    /// Of the body, decoded, in bytes; no limit by default.
    public var bodyBytes: Int?
    /// How many times as large as on the network a body may become by decoding; 200 by default, nil for any.
    ///
    /// It is looked at once more than ``decompressedBytesWithoutRatio`` have been decoded: what is smaller does no harm.
    /// What people and programs write is seldom compressed to less than a fiftieth.
    public var decompressionRatio: Double?

    /// How many decoded bytes may come of whatever number of encoded ones: 10 MiB.
    public static let decompressedBytesWithoutRatio = 10 << 20

    /// The defaults, but for what is said.
    public init(headerBytes: Int = 256 << 10, bodyBytes: Int? = nil, decompressionRatio: Double? = 200) {
        self.headerBytes = headerBytes
        self.bodyBytes = bodyBytes
        self.decompressionRatio = decompressionRatio
    }
}

extension ResponseLimits {
    /// What is wrong with heads of so many bytes; nil when nothing is.
    func violation(headerBytes: Int) -> TransportError? {
        guard headerBytes > self.headerBytes else { return nil }
        return .tooLarge("the response's head has more than \(self.headerBytes) bytes")
    }

    /// What is wrong with a body of so many bytes; nil when nothing is.
    ///
    /// - Parameters:
    ///   - decoded: the bytes so far, those at hand included.
    ///   - transferred: the bytes that came over the network for them.
    func violation(decoded: Int64, transferred: @autoclosure () -> Int64) -> TransportError? {
        if let bodyBytes, decoded > bodyBytes {
            return .tooLarge("the response's body has more than \(bodyBytes) bytes")
        }
        guard let decompressionRatio, decoded > Self.decompressedBytesWithoutRatio else { return nil }
        let transferred = transferred()
        guard Double(decoded) > decompressionRatio * Double(max(transferred, 1)) else { return nil }
        return .tooLarge(
            "the response's body becomes more than \(decompressionRatio) times as large by decoding: \(transferred) "
                + "bytes came, \(decoded) were made of them"
        )
    }
}

extension TransportError {
    static func tooLarge(_ message: String) -> TransportError {
        TransportError(code: .responseTooLarge, curlCode: nil, message: message)
    }
}
