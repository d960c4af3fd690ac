extension URLSessionConfiguration {
    /// `httpAdditionalHeaders` in their own type.
    public var headers: HTTPHeaders {
        get {
            let fields = (httpAdditionalHeaders ?? [:]).map { ("\($0.key)", "\($0.value)") }
            return HTTPHeaders(Dictionary(fields) { $1 })
        }
        set { httpAdditionalHeaders = newValue.dictionary }
    }

    /// Alamofire's configurations, as `URLSessionConfiguration.af.default`.
    public enum AlamofireNames {
        /// Foundation's default with Alamofire's fields.
        public static var `default`: URLSessionConfiguration { configured(.default) }

        /// Foundation's ephemeral one with Alamofire's fields.
        public static var ephemeral: URLSessionConfiguration { configured(.ephemeral) }

        private static func configured(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
            configuration.headers = .default
            return configuration
        }
    }

    /// Alamofire's configurations.
    public static var af: AlamofireNames.Type { AlamofireNames.self }
}
