internal import Synchronization

/// The requests of a session that have begun and not ended. Each knows its place, so that none is looked for.
struct RunningRequests {
    private var places: [Request?] = []
    private var free: [Int] = []

    private static let none = -1
    private static let ended = -2

    /// Adds a request, unless it has ended meanwhile.
    mutating func add(_ request: Request) {
        guard request.place.load(ordering: .relaxed) == Self.none else { return }
        let place = free.popLast() ?? places.count
        if place == places.count { places.append(request) } else { places[place] = request }
        request.place.store(place, ordering: .relaxed)
    }

    /// Removes a request that has ended, or sees to it that it is not added later.
    mutating func remove(_ request: Request) {
        let place = request.place.exchange(Self.ended, ordering: .relaxed)
        guard place >= 0 else { return }
        places[place] = nil
        free.append(place)
    }

    var all: [Request] { places.compactMap { $0 } }
}
