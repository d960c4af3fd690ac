internal import Foundation

/// A multipart form, read part by part as it is sent.
final class MultipartSource: BodySource {
    let length: Int64?
    private let reader: MultipartBodyReader

    init(_ form: MultipartFormData) throws(BodyError) {
        reader = try Self.reader(of: form)
        length = reader.contentLength
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(BodyError) -> BodyPortion {
        let count = try reader.portion(into: buffer)
        return count == 0 ? .end : .bytes(count)
    }

    func rewind() throws(BodyError) {
        do {
            try reader.rewind()
        } catch {
            throw BodyError(message: "the form cannot be read again", cause: error)
        }
    }

    static func reader(of form: MultipartFormData) throws(BodyError) -> MultipartBodyReader {
        do {
            return try MultipartBodyReader(form)
        } catch {
            throw BodyError(message: "the form has a fault", cause: error)
        }
    }
}

extension MultipartBodyReader {
    fileprivate func portion(into buffer: UnsafeMutableRawBufferPointer) throws(BodyError) -> Int {
        do {
            return try read(into: buffer)
        } catch {
            throw BodyError(message: "reading the form failed", cause: error)
        }
    }
}

/// A form with a stream in it, which may have to be waited for.
final class BlockingMultipartReader: BlockingReader {
    private let reader: MultipartBodyReader

    init(_ reader: MultipartBodyReader) { self.reader = reader }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(BodyError) -> Int {
        try reader.portion(into: buffer)
    }
}
