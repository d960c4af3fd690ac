internal import CLibcurl

/// The one owner of a list of header lines in libcurl's form.
final class HeaderList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?
    /// How many bytes the lines have, as they were given to libcurl.
    private(set) var byteCount = 0

    deinit { curl_slist_free_all(pointer) }

    /// Adds a field that is sent.
    func append(_ header: HTTPHeader) throws(CurlFailure) {
        // libcurl takes `Name:`, with or without white space after it, for the order to leave a field out, and `Name;`
        // for one with an empty value.
        if header.value.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            try append(header.name, ";")
        } else {
            try append(header.name, ": ", header.value)
        }
    }

    /// Leaves out a field that libcurl would send of its own.
    func suppress(_ name: String) throws(CurlFailure) { try append(name, ":") }

    /// Adds a line, put together where libcurl copies it from: no text is made for it.
    private func append(_ name: String, _ separator: StaticString, _ value: String = "") throws(CurlFailure) {
        let count = name.utf8.count + separator.utf8CodeUnitCount + value.utf8.count + 1
        let longer = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { line in
            var (_, end) = line.initialize(from: name.utf8)
            end = line[end...].initialize(
                fromContentsOf: UnsafeBufferPointer(start: separator.utf8Start, count: separator.utf8CodeUnitCount)
            )
            (_, end) = line[end...].initialize(from: value.utf8)
            line[end] = 0
            return line.withMemoryRebound(to: CChar.self) { curl_slist_append(pointer, $0.baseAddress) }
        }
        guard let longer else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
        pointer = longer
        byteCount += count
    }
}
