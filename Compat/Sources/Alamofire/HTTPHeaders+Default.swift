extension HTTPHeaders {
    /// Alamofire's fields: what can be decoded, the user's languages and the program.
    public static let `default`: HTTPHeaders = [
        "Accept-Encoding": "br;q=1.0, gzip;q=0.9, deflate;q=0.8",
        "Accept-Language": languages,
        "User-Agent": SessionConfiguration().headers["User-Agent"] ?? "Linchpin",
    ]

    private static var languages: String {
        Locale.preferredLanguages.prefix(6).enumerated()
            .map { "\($0.element);q=\(1 - Double($0.offset) / 10)" }
            .joined(separator: ", ")
    }
}
