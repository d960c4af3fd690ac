internal import Foundation
internal import FoundationNetworking

extension LinchpinURLProtocol {
    /// Tells Foundation which file a download went to.
    ///
    /// At the end of a download Foundation takes the file from a property of the protocol object that only its own
    /// protocols can set, and stops the process where it is missing. So the property is written where it lies in the
    /// object: at the one place, among those of the superclasses, that holds the very value that reflection shows.
    ///
    /// - Returns: whether the property is set, which was checked by reflection; nothing was written otherwise.
    func setTemporaryFile(_ url: URL) -> Bool {
        guard let table = TaskParts.property("properties", of: self) as? any PropertyTable else { return false }
        let object = Unmanaged.passUnretained(self).toOpaque()
        // The superclasses' properties end before the first one of this class.
        let end = withUnsafeMutablePointer(to: &transfer) { UnsafeMutableRawPointer($0) - object }
        guard (16...1_024).contains(end), table.replace(in: object, size: end, adding: url) else { return false }
        return (TaskParts.property("properties", of: self) as? any PropertyTable)?.temporaryFile == url
    }
}

/// A dictionary whose keys are of a type that cannot be named.
private protocol PropertyTable {
    var temporaryFile: URL? { get }

    /// Replaces the dictionary in memory by one that has the file as well.
    ///
    /// - Parameters:
    ///   - object: the object that holds this dictionary.
    ///   - size: how many of the object's bytes to look at.
    /// - Returns: whether the dictionary was found, at one place only.
    func replace(in object: UnsafeMutableRawPointer, size: Int, adding url: URL) -> Bool
}

extension Dictionary: PropertyTable where Key: RawRepresentable, Key.RawValue == String, Value == Any {
    private static var fileKey: Key? { Key(rawValue: "temporaryFileURL") }

    fileprivate var temporaryFile: URL? { Self.fileKey.flatMap { self[$0] as? URL } }

    fileprivate func replace(in object: UnsafeMutableRawPointer, size: Int, adding url: URL) -> Bool {
        guard let key = Self.fileKey, MemoryLayout<Self>.size == MemoryLayout<UInt>.size else { return false }
        let word = unsafeBitCast(self, to: UInt.self)
        // Before the properties of an object there are two words: its class and its count of references.
        let places = stride(from: 16, to: size, by: MemoryLayout<UInt>.stride).filter { offset in
            object.load(fromByteOffset: offset, as: UInt.self) == word
        }
        guard places.count == 1, let place = places.first else { return false }
        var changed = self
        changed[key] = url
        (object + place).assumingMemoryBound(to: Self.self).pointee = changed
        return true
    }
}
