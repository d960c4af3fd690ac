internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// The one owner of an OpenSSL store of logs.
final class TransparencyLogStore {
    let pointer: OpaquePointer

    init(_ logs: [TransparencyLog]) throws(TrustError) {
        OpenSSLError.clear()
        // OpenSSL reads logs from a configuration only. Its sections have names of ours: those of logs may be any text.
        var text = "enabled_logs = " + logs.indices.map { "log\($0)" }.joined(separator: ",") + "\n"
        for (index, log) in logs.enumerated() {
            text += "[log\(index)]\ndescription = log \(index)\nkey = \(log.publicKey.der.base64EncodedString())\n"
        }
        guard let store = clinchpin_CTLOG_STORE_of_text(text, text.utf8.count) else {
            throw TrustError(
                .malformedTransparencyLog,
                reason: "OpenSSL cannot use the logs' keys: \(OpenSSLError.drainText())"
            )
        }
        pointer = store
    }

    deinit { CTLOG_STORE_free(pointer) }
}

// Filled before anybody else sees it and never changed after.
extension TransparencyLogStore: @unchecked Sendable {}
