/// An answer that an API wraps and that is a page of a list.
public struct ListEnvelope<Item: Decodable & Sendable>: EnvelopeDecodable {
    /// The code; nil where the format has none.
    public let code: EnvelopeCode?
    /// What the API says about the code.
    public let message: String?
    /// Whether the code is one of a success; nil where the format has none.
    public let isSuccess: Bool?
    /// The items of this page.
    public let data: [Item]
    /// How many items there are on all pages.
    public let total: Int?
    /// How many pages there are.
    public let pages: Int?
    /// How many items a full page has.
    public let size: Int?
    /// This page's number.
    public let page: Int?
    /// The next page's number.
    public let next: Int?

    /// Reads an envelope.
    public init(from decoder: any Decoder, configuration format: EnvelopeFormat) throws {
        let container = try decoder.container(keyedBy: EnvelopeKey.self)
        let head = try EnvelopeHead(container, format)
        code = head.code
        message = head.message
        isSuccess = head.isSuccess
        var numbers = container
        if head.isSuccess != false, let key = container.first(of: format.dataKeys) {
            if let inner = try? container.nestedContainer(keyedBy: EnvelopeKey.self, forKey: key) {
                numbers = inner
                let items = inner.first(of: [format.list.items])
                data = try items.map { try inner.decode([Item].self, forKey: $0) } ?? []
            } else {
                data = try container.decode([Item].self, forKey: key)
            }
        } else {
            data = []
        }
        total = numbers.number(format.list.total)
        pages = numbers.number(format.list.pages)
        size = numbers.number(format.list.size)
        page = numbers.number(format.list.page)
        next = numbers.number(format.list.next)
    }

    /// The number of the page after this one; nil when this is the last, or nothing is said of others.
    ///
    /// - Parameters:
    ///   - number: this page's number, as it was asked for.
    ///   - countsFromZero: whether the first page is number 0, and not 1.
    func number(after number: Int, countsFromZero: Bool) -> Int? {
        if let next { return next > number ? next : nil }
        guard let count = pages ?? pagesByItems, number < Int.max else { return nil }
        return (countsFromZero ? number + 1 : number) < count ? number + 1 : nil
    }

    /// How many pages there are by the number of items. A server may name any number: nothing is added to it.
    private var pagesByItems: Int? {
        guard let total, let size, size > 0, !data.isEmpty else { return nil }
        return total / size + (total % size > 0 ? 1 : 0)
    }
}
