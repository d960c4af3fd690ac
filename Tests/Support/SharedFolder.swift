internal import Foundation
package import Testing

/// The folder `shared` beside the checkout, with files that some tests read. It is not part of the package.
package enum SharedFolder {
    /// Its path; nil where there is none.
    package static let path: String? = {
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = checkout.deletingLastPathComponent().appending(path: "shared").path(percentEncoded: false)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue else {
            return nil
        }
        return folder
    }()

    /// The path of a file or folder in it; nil where it does not exist.
    package static func path(of name: String) -> String? {
        guard let path, FileManager.default.fileExists(atPath: "\(path)/\(name)") else { return nil }
        return "\(path)/\(name)"
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs the test only where the folder `shared` beside the checkout has this file or folder.
    package static func needsShared(_ name: String) -> Self {
        .enabled(
            if: SharedFolder.path(of: name) != nil,
            "shared/\(name) is not beside the checkout, and this test is about what is in it"
        )
    }
}
