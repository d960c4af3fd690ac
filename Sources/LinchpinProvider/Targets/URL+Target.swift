public import Foundation

extension URL {
    /// The target's path appended to its base URL.
    ///
    /// There is one slash at the joint, a slash at the end stays, and so does a query of the base URL. The path is
    /// plain text and is escaped once. An empty path leaves the base URL as it is, since `/v1` and `/v1/` are two
    /// resources.
    public init(target: some TargetType) {
        let path = target.path
        self = path.isEmpty ? target.baseURL : target.baseURL.appendingPathComponent(path)
    }
}
