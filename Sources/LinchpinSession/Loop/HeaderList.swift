internal import CLibcurl

/// The one owner of a list of header lines in libcurl's form.
struct HeaderList: ~Copyable {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    deinit { curl_slist_free_all(pointer) }

    /// Adds a field that is sent.
    mutating func append(_ header: HTTPHeader) throws(CurlFailure) {
        // libcurl takes `Name:`, with or without white space after it, for the order to leave a field out, and `Name;`
        // for one with an empty value.
        try append(
            line: header.value.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) })
                ? "\(header.name);" : "\(header.name): \(header.value)"
        )
    }

    /// Leaves out a field that libcurl would send of its own.
    mutating func suppress(_ name: String) throws(CurlFailure) { try append(line: "\(name):") }

    private mutating func append(line: String) throws(CurlFailure) {
        guard let longer = curl_slist_append(pointer, line) else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
        pointer = longer
    }
}
