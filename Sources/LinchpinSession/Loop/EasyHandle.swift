internal import CLibcurl
internal import CLinchpin

/// The one owner of a libcurl easy handle and of the buffer for its words.
///
/// A handle keeps what was set on it from one transfer to the next. What differs between transfers is known here, and set
/// where it changes; what only a reset takes back, or nothing does, is said by ``afterUse``.
final class EasyHandle {
    /// What becomes of a handle when its transfer has ended; the later cases are stronger.
    enum AfterUse: Int {
        /// It keeps what is set on it.
        case kept
        /// Every option goes back to libcurl's default.
        case reset
        /// It goes, with what libcurl 7.88 keeps even through a reset.
        case thrownAway
    }

    let pointer: UnsafeMutableRawPointer
    /// The transfer that it does, which libcurl's callbacks find by it; ``ConnectionPool`` keeps the hop for as long.
    unowned(unsafe) var hop: Hop?
    /// What is set on it for any transfer; nil where nothing is.
    var shape: HandleShape?
    private(set) var afterUse = AfterUse.kept
    private let words: UnsafeMutablePointer<CChar>
    /// What libcurl reads for as long as the options are set.
    private var borrowed: [SharedBytes] = []
    /// What the handle shares with others; libcurl needs it until the handle is gone.
    private var store: SharedStore?
    private var url: ParsedURL?
    private var headers: HeaderList?
    private var connectTimeout: Int?
    /// Whether the method is what libcurl takes by itself.
    private var isGet = true

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
        shape = nil
        afterUse = .kept
        borrowed.removeAll(keepingCapacity: true)
        url = nil
        headers = nil
        connectTimeout = nil
        isGet = true
        words[0] = 0
        try set(CURLOPT_ERRORBUFFER, words)
        // Not retained: the handle is in no multi handle any more when this object goes.
        try set(CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The object of a handle that was made here.
    static func of(_ pointer: UnsafeMutableRawPointer) -> EasyHandle? {
        var context: UnsafeMutableRawPointer?
        guard clinchpin_easy_getinfo_pointer(pointer, CURLINFO_PRIVATE, &context) == CURLE_OK else { return nil }
        // Passed unretained in reset().
        return context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Notes what has to become of the handle, unless it is to be something stronger already.
    func mark(_ use: AfterUse) { if use.rawValue > afterUse.rawValue { afterUse = use } }

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

// What differs between transfers.
extension EasyHandle {
    /// Leads to a URL.
    func use(_ url: ParsedURL) throws(CurlFailure) {
        guard self.url !== url else { return }
        // libcurl 7.88 looks at the parsed URL only where it has no text of an earlier one.
        try set(CURLOPT_URL, nil as String?)
        try set(CURLOPT_CURLU, UnsafeMutableRawPointer(url.pointer))
        self.url = url
    }

    /// Sends these fields.
    func use(_ headers: HeaderList) throws(CurlFailure) {
        guard self.headers !== headers else { return }
        try check(clinchpin_easy_setopt_slist(pointer, CURLOPT_HTTPHEADER, headers.pointer))
        self.headers = headers
    }

    /// Limits how long making a connection takes, in milliseconds; 0 leaves it to libcurl.
    func limit(connectTimeout: Int) throws(CurlFailure) {
        guard self.connectTimeout != connectTimeout else { return }
        try set(CURLOPT_CONNECTTIMEOUT_MS, connectTimeout)
        self.connectTimeout = connectTimeout
    }

    /// Asks by this method.
    ///
    /// - Parameters:
    ///   - bodySize: how many bytes the body has, -1 where that is not known; nil for a request without one.
    func use(method: String, bodySize: Int?) throws(CurlFailure) {
        let isGet = method == "GET" && bodySize == nil
        if isGet, self.isGet { return }
        self.isGet = false
        try set(CURLOPT_HTTPGET, 1)
        try set(CURLOPT_CUSTOMREQUEST, nil as String?)
        if method == "HEAD" {
            try set(CURLOPT_NOBODY, 1)
        } else if !isGet {
            if let bodySize {
                try set(CURLOPT_POST, 1)
                try set(CURLOPT_POSTFIELDSIZE_LARGE, size: bodySize)
            }
            try set(CURLOPT_CUSTOMREQUEST, method)
        }
        self.isGet = isGet
    }
}
