extension NetworkLoggerPlugin {
    /// Logs method and fields of requests.
    public static var `default`: NetworkLoggerPlugin { NetworkLoggerPlugin() }

    /// Logs everything, but no secrets.
    public static var verbose: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .verbose))
    }
}

extension NetworkLoggerPlugin.Configuration {
    /// Makes text of what is logged.
    public typealias Formatter = NetworkLoggerPlugin.Formatter
    /// What is logged.
    public typealias LogOptions = NetworkLoggerPlugin.LogOptions
}

extension NetworkLoggerPlugin.Formatter {
    /// Makes text of a body.
    public typealias DataFormatterType = DataFormatter
    /// Makes an entry of what it is about and its text.
    public typealias EntryFormatterType = EntryFormatter

    /// The text of a body; its length, if it is no UTF-8.
    @Sendable
    public static func defaultDataFormatter(_ data: Data) -> String { text(of: data) }
}
