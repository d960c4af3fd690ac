internal import CLibcurl

/// The fields of a request as lines in libcurl's form.
struct HeaderList: ~Copyable {
    private var lines = LineList()

    /// What libcurl is given.
    var pointer: UnsafeMutablePointer<curl_slist>? { lines.pointer }

    /// Adds a field that is sent.
    mutating func append(_ header: HTTPHeader) throws(CurlFailure) {
        // libcurl takes `Name:`, with or without white space after it, for the order to leave a field out, and `Name;`
        // for one with an empty value.
        try lines.append(
            header.value.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) })
                ? "\(header.name);" : "\(header.name): \(header.value)"
        )
    }

    /// Leaves out a field that libcurl would send of its own.
    mutating func suppress(_ name: String) throws(CurlFailure) { try lines.append("\(name):") }
}
