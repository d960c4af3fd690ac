internal import CLibcurl
internal import CLinchpin

/// The one owner of a libcurl easy handle and of the buffer for its words.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let words: UnsafeMutablePointer<CChar>
    /// What libcurl reads for as long as the options are set.
    private var borrowed: [SharedBytes] = []
    /// What the handle shares with others; libcurl needs it until the handle is gone.
    private var store: SharedStore?

    /// A handle on which nothing is set but the buffer.
    init() throws(CurlFailure) {
        guard let pointer = curl_easy_init() else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
        self.pointer = pointer
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try reset()
    }

    deinit {
        curl_easy_cleanup(pointer)
        words.deallocate()
    }

    /// What libcurl says about the last failure; empty when it says nothing.
    var errorText: String { String(cString: words) }

    /// Puts every option back to libcurl's default, so that nothing carries over.
    func reset() throws(CurlFailure) {
        curl_easy_reset(pointer)
        borrowed.removeAll(keepingCapacity: true)
        words[0] = 0
        try set(CURLOPT_ERRORBUFFER, words)
    }

    /// Shares TLS sessions and cookies with the other handles that use the store. A reset leaves it so.
    func use(_ store: SharedStore) throws(CurlFailure) {
        guard store.isUsable else { throw CurlFailure(code: CURLE_NOT_BUILT_IN) }
        guard self.store !== store else { return }
        if store.holdsCookies { try startCookieEngine() }
        try set(CURLOPT_SHARE, store.pointer)
        self.store = store
    }

    /// Lets libcurl send and keep cookies, which a share of cookies alone does not bring about.
    ///
    /// The name of no file is read at once, with nothing shared, and the list of names freed: a reset would leak it, and
    /// lose it if it came before the transfer. The engine stays on.
    private func startCookieEngine() throws(CurlFailure) {
        try set(CURLOPT_SHARE, nil as UnsafeMutableRawPointer?)
        store = nil
        try set(CURLOPT_COOKIEFILE, "")
        try set(CURLOPT_COOKIELIST, "RELOAD")
        try set(CURLOPT_COOKIEFILE, nil as String?)
    }

    func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
        try check(clinchpin_easy_setopt_long(pointer, option, value))
    }

    func set(_ option: CURLoption, size: Int) throws(CurlFailure) {
        try check(clinchpin_easy_setopt_off_t(pointer, option, size))
    }

    func set(_ option: CURLoption, _ value: String?) throws(CurlFailure) {
        try check(clinchpin_easy_setopt_string(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(CurlFailure) {
        try check(clinchpin_easy_setopt_pointer(pointer, option, value))
    }

    func set(_ option: CURLoption, callback: @escaping clinchpin_data_callback) throws(CurlFailure) {
        try check(clinchpin_easy_setopt_data_callback(pointer, option, callback))
    }

    func set(_ option: CURLoption, borrowing blob: SharedBytes) throws(CurlFailure) {
        borrowed.append(blob)
        try check(clinchpin_easy_setopt_blob_borrowed(pointer, option, blob.bytes.baseAddress, blob.bytes.count))
    }

    /// - Parameters:
    ///   - list: stays until the option is set anew or the handle goes.
    func set(_ option: CURLoption, _ list: borrowing HeaderList) throws(CurlFailure) {
        try check(clinchpin_easy_setopt_slist(pointer, option, list.pointer))
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        return clinchpin_easy_getinfo_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    func size(_ info: CURLINFO) -> Int64? {
        var value: curl_off_t = 0
        return clinchpin_easy_getinfo_off_t(pointer, info, &value) == CURLE_OK ? Int64(value) : nil
    }

    /// Whether the last response has a field of this name.
    func hasHeader(_ name: String) -> Bool {
        var header: UnsafeMutablePointer<curl_header>?
        return curl_easy_header(pointer, name, 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard clinchpin_easy_getinfo_string(pointer, info, &value) == CURLE_OK else { return nil }
        return value.map { String(cString: $0) }
    }
}
