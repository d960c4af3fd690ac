public import Foundation

extension CharacterSet {
    /// What stands in a query as it is, under Alamofire's name: RFC 3986's unreserved characters (§2.3), `/` and `?`
    /// (§3.4).
    public static let afURLQueryAllowed = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?"
    )
}
