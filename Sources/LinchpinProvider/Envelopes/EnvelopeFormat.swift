/// How an API wraps what it answers: `{"code": 0, "message": "ok", "data": …}` by default.
///
/// The keys are those that the decoder sees: with `.convertFromSnakeCase`, `err_code` is `errCode`.
///
/// ```swift
/// var format = EnvelopeFormat(codeKey: "status", messageKey: "msg", dataKeys: ["data", "result"])
/// format.successCodes = [200, "SUCCESS"]
/// ```
public struct EnvelopeFormat: Hashable, Sendable {
    /// The key of the code, `code` by default. Nil where there is none; the status code then says what a success is.
    public var codeKey: String?
    /// The codes of a success, 0 and 200 by default.
    public var successCodes: Set<EnvelopeCode>
    /// The key of what the API says about the code, `message` by default.
    public var messageKey: String
    /// Where the data may be, `data` by default: the first key that is there and is not null.
    public var dataKeys: [String]
    /// The keys of a list's pages.
    public var list: ListFormat

    /// Makes a format.
    public init(
        codeKey: String? = "code",
        successCodes: Set<EnvelopeCode> = [0, 200],
        messageKey: String = "message",
        dataKeys: [String] = ["data"],
        list: ListFormat = ListFormat()
    ) {
        self.codeKey = codeKey
        self.successCodes = successCodes
        self.messageKey = messageKey
        self.dataKeys = dataKeys
        self.list = list
    }
}

/// The keys of a page of a list. They are looked for beside the items; where an envelope's data is the array of items
/// itself, beside that array.
public struct ListFormat: Hashable, Sendable {
    /// The key of the items, `data` by default.
    public var items = "data"
    /// The key of how many items there are on all pages, `total` by default.
    public var total = "total"
    /// The key of how many pages there are, `pages` by default.
    public var pages = "pages"
    /// The key of how many items a full page has, `size` by default.
    public var size = "size"
    /// The key of this page's number, `page` by default.
    public var page = "page"
    /// The key of the next page's number, `next` by default.
    public var next = "next"

    /// Makes a format of the defaults.
    public init() {}
}
