internal import CLinchpin
internal import COpenSSL

/// The places in OpenSSL's objects where ours are kept.
enum ExDataIndexes {
    /// ``ConnectionJudges`` in an `SSL_CTX`.
    static let judges = clinchpin_SSL_CTX_new_ex_data_index { releaseObject($0, $1, $2, $3, $4, $5) }
    /// A ``Verdict`` in an `SSL`.
    static let verdict = clinchpin_SSL_new_ex_data_index { releaseObject($0, $1, $2, $3, $4, $5) }

    /// Gives back the reference that `passRetained` took in ``ConnectionJudges/install(onContext:)`` and
    /// ``Verdict/attach(toConnection:)``.
    private static func releaseObject(
        _ owner: UnsafeMutableRawPointer?,
        _ object: UnsafeMutableRawPointer?,
        _ data: UnsafeMutablePointer<CRYPTO_EX_DATA>?,
        _ index: Int32,
        _ number: Int,
        _ argument: UnsafeMutableRawPointer?
    ) {
        if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }
}
