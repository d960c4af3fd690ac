/// Bytes that stay where they are, for libcurl to read in place; for one thread.
final class SharedBytes {
    let bytes: UnsafeRawBufferPointer

    init(_ text: String) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        copy.copyBytes(from: text.utf8)
        bytes = UnsafeRawBufferPointer(copy)
    }

    deinit { bytes.deallocate() }
}
