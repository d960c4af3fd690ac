internal import CLibcurl
internal import CLinchpin

/// The one owner of a list of lines in libcurl's form.
struct LineList: ~Copyable {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    deinit { curl_slist_free_all(pointer) }

    mutating func append(_ line: String) throws(CurlFailure) {
        guard let longer = curl_slist_append(pointer, line) else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
        pointer = longer
    }
}
