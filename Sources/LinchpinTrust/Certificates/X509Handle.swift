internal import CLinchpin
internal import COpenSSL
package import Foundation

/// The one owner of an OpenSSL certificate; frees it when it goes.
package final class X509Handle {
    package let pointer: OpaquePointer

    /// Takes over the reference that the caller holds.
    package init(takingOwnership pointer: OpaquePointer) { self.pointer = pointer }

    /// Adds a reference of its own; the caller keeps its own.
    package init(sharing pointer: OpaquePointer) {
        X509_up_ref(pointer)
        self.pointer = pointer
    }

    deinit { X509_free(pointer) }

    /// The certificate's DER encoding.
    package func encoded() -> Data? {
        var buffer: UnsafeMutablePointer<UInt8>?
        let length = i2d_X509(pointer, &buffer)
        return Data(takingOpenSSL: buffer, length: Int(length))
    }
}

// The certificate is never changed after it was read, and OpenSSL counts its references and fills its
// caches of parsed extensions under its own locks.
extension X509Handle: @unchecked Sendable {}

extension Data {
    /// Copies a buffer that OpenSSL allocated, and frees it; nil when there is none.
    package init?(takingOpenSSL buffer: UnsafeMutablePointer<UInt8>?, length: Int) {
        guard let buffer else { return nil }
        defer { CRYPTO_free(buffer, nil, 0) }
        guard length > 0 else { return nil }
        self.init(bytes: buffer, count: length)
    }
}
