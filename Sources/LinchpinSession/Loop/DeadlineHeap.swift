/// Something that has to be looked at by a certain time.
protocol Expiring: AnyObject {
    /// When, in nanoseconds of the monotonic clock; `Int64.max` for never.
    var deadline: Int64 { get set }
    /// Its place in the heap; nil while it is in none.
    var heapIndex: Int? { get set }
}

/// A binary heap of deadlines from which any element can be taken.
struct DeadlineHeap<Element: Expiring> {
    private var elements: [Element] = []

    /// The element with the earliest deadline.
    var first: Element? { elements.first }

    /// Puts an element in, or moves it to a new deadline.
    mutating func schedule(_ element: Element, at deadline: Int64) {
        element.deadline = deadline
        if let index = element.heapIndex {
            sift(index)
        } else {
            element.heapIndex = elements.count
            elements.append(element)
            sift(elements.count - 1)
        }
    }

    /// Takes an element out; does nothing if it is not in.
    mutating func remove(_ element: Element) {
        guard let index = element.heapIndex else { return }
        swap(index, elements.count - 1)
        elements.removeLast()
        element.heapIndex = nil
        if index < elements.count { sift(index) }
    }

    private mutating func sift(_ start: Int) {
        var index = start
        while index > 0, elements[index].deadline < elements[(index - 1) / 2].deadline {
            swap(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
        while case let child = earlierChild(of: index), child < elements.count,
            elements[child].deadline < elements[index].deadline
        {
            swap(index, child)
            index = child
        }
    }

    private func earlierChild(of index: Int) -> Int {
        let left = 2 * index + 1
        let right = left + 1
        return right < elements.count && elements[right].deadline < elements[left].deadline ? right : left
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        elements.swapAt(left, right)
        elements[left].heapIndex = left
        elements[right].heapIndex = right
    }
}
