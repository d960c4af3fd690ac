/// All pages of a list, one after the other.
public struct PageSequence<Target: TargetType, Item: Decodable & Sendable>: AsyncSequence, Sendable {
    let provider: EnvelopeProvider<Target>
    let start: Int
    let target: @Sendable (Int) -> Target

    /// The pages from the first one; every iterator asks anew.
    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self, number: start) }

    /// Asks for one page after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let sequence: PageSequence
        /// The page that is asked for next; nil at the end.
        var number: Int?

        /// The next page; nil after the last one, and after an error.
        ///
        /// - Throws: ``EnvelopeError`` or ``ProviderError``.
        public mutating func next() async throws -> ListEnvelope<Item>? {
            guard let number else { return nil }
            self.number = nil
            let page = try await sequence.provider.list(sequence.target(number), of: Item.self)
            self.number = page.number(after: number, countsFromZero: sequence.start == 0)
            return page
        }
    }
}
