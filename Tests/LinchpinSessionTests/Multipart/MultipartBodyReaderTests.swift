import Foundation
import Glibc
import LinchpinTestSupport
import Testing

@testable import LinchpinSession

@Suite struct MultipartBodyReaderTests {
    private func readAll(_ reader: MultipartBodyReader, by size: Int) throws -> Data {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { buffer.deallocate() }
        var data = Data()
        while case let count = try reader.read(into: buffer), count > 0 { data.append(contentsOf: buffer[..<count]) }
        return data
    }

    @Test(arguments: [1, 2, 7, 64, 4096])
    func `a body is the same in pieces of every size, and again after rewinding`(_ size: Int) throws {
        let directory = try TemporaryDirectory()
        let form = MultipartFormData()
        form.append(Data(repeating: 1, count: 100), withName: "a")
        form.append(URL(filePath: try directory.write(Data(repeating: 2, count: 300), to: "f.bin")), withName: "b")
        form.append(URL(filePath: try directory.write(Data(), to: "empty")), withName: "c")
        form.append(Data(), withName: "d")
        let whole = try form.encode()
        let reader = try MultipartBodyReader(form)
        #expect(reader.contentLength == whole.count)
        #expect(try readAll(reader, by: size) == whole)
        #expect(try readAll(reader, by: size).isEmpty)
        try reader.rewind()
        #expect(try readAll(reader, by: size) == whole)
        try reader.rewind()
        _ = try withUnsafeTemporaryAllocation(byteCount: 250, alignment: 1) { try reader.read(into: $0) }
        try reader.rewind()
        #expect(try readAll(reader, by: size) == whole)
    }

    @Test func `a buffer is filled across parts`() throws {
        let form = MultipartFormData()
        for name in ["a", "b"] { form.append(Data("x".utf8), withName: name) }
        let reader = try MultipartBodyReader(form)
        let count = try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { try reader.read(into: $0) }
        #expect(count == Int(reader.contentLength))
    }

    @Test func `a stream cannot be read again, but may not have been read yet`() throws {
        let form = MultipartFormData()
        form.append(Data("x".utf8), withName: "n")
        form.append(InputStream(data: Data("y".utf8)), withLength: 1, headers: ["A": "b"])
        let reader = try MultipartBodyReader(form)
        _ = try withUnsafeTemporaryAllocation(byteCount: 10, alignment: 1) { try reader.read(into: $0) }
        try reader.rewind()
        #expect(try readAll(reader, by: 64).count == reader.contentLength)
        let error = #expect(throws: SessionError.self) { try reader.rewind() }
        #expect(error?.isMultipartEncodingError == true)
        #expect(error?.underlyingError is MultipartBodyReader.StreamCannotRewind)
    }

    @Test(arguments: [-1, 1])
    func `a file that changes while it is read is an error`(_ change: Int) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Data(repeating: 7, count: 10_000), to: "f")
        let form = MultipartFormData()
        form.append(URL(filePath: path), withName: "n")
        let reader = try MultipartBodyReader(form)
        _ = try withUnsafeTemporaryAllocation(byteCount: 5_000, alignment: 1) { try reader.read(into: $0) }
        try #require(truncate(path, off_t(10_000 + change)) == 0)
        let error = #expect(throws: SessionError.self) { try readAll(reader, by: 512) }
        #expect(error?.underlyingError is SessionError.UnexpectedInputStreamLength)
    }

    @Test func `a pipe that took a file's place is not waited for`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("x", to: "f")
        let form = MultipartFormData()
        form.append(URL(filePath: path), withName: "n")
        let reader = try MultipartBodyReader(form)
        try FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        let error = #expect(throws: SessionError.self) { try readAll(reader, by: 512) }
        guard case .multipartEncodingFailed(.bodyPartFileSizeNotAvailable)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a part of four gigabytes costs no memory`() async {
        // In a process of its own, since the others of this one have their own peaks.
        await #expect(processExitsWith: .success) {
            // Holes of a file in memory are read from one page; those of a file on disk fill the system's cache first.
            if access("/dev/shm", W_OK) == 0 { setenv("TMPDIR", "/dev/shm", 1) }
            let length: off_t = 4 << 30
            let directory = try TemporaryDirectory()
            let path = try directory.write("", to: "sparse")
            try #require(truncate(path, length) == 0)
            let form = MultipartFormData()
            form.append(URL(filePath: path), withName: "n")
            let reader = try MultipartBodyReader(form)
            try #require(reader.contentLength > length)
            let before = ProcessMemory.peak
            var total: Int64 = 0
            try reader.readAll { total += Int64($0.count) }
            #expect(total == reader.contentLength)
            #expect(UInt64(total) == form.contentLength)
            let grown = ProcessMemory.peak - before
            #expect(grown < 8 << 20, "\(grown) bytes more")
        }
    }
}
