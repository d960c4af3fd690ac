internal import CLinchpin
internal import COpenSSL

/// OpenSSL's error queue of the calling thread.
package enum OpenSSLError {
    /// Forgets what earlier calls left behind; done before every call whose errors are read.
    package static func clear() { ERR_clear_error() }

    /// The waiting errors in OpenSSL's words, oldest first; empties the queue.
    package static func drain() -> [String] {
        var words: [String] = []
        var text = [CChar](repeating: 0, count: 256)
        while case let code = ERR_get_error(), code != 0 {
            ERR_error_string_n(code, &text, text.count)
            words.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return words
    }

    /// The waiting errors as one text, or a sentence that says there are none.
    package static func drainText() -> String {
        let words = drain()
        return words.isEmpty ? "OpenSSL gave no reason" : words.joined(separator: "; ")
    }
}
