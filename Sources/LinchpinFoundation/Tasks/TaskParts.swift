internal import Dispatch
internal import Foundation
internal import FoundationNetworking

/// What a task is made of that Foundation does not show, read by reflection.
///
/// Foundation changes these on the task's work queue only, and there they are read.
struct TaskParts: Sendable {
    /// What the task sends.
    enum Body: Sendable {
        case none
        case data(Data)
        case file(URL)
        case stream(BodyStream)
        /// What the delegate gives when it is asked.
        case fromDelegate
    }

    /// How the body of the response reaches the task's owner.
    enum Delivery: Sendable {
        /// Piece by piece, through the delegate.
        case streamed
        /// As a whole, at the end: Foundation keeps only what it was given last.
        case collected
        /// As a file.
        case file
    }

    let session: URLSession
    /// The only queue on which Foundation may be told anything about the task.
    let workQueue: DispatchQueue
    let body: Body
    let delivery: Delivery
    let delegate: (any URLSessionTaskDelegate)?

    /// - Returns: nil where Foundation's tasks are not made as they were when this was written.
    init?(_ task: URLSessionTask) {
        guard let session = Self.property("session", of: task) as? URLSession,
            let workQueue = Self.property("workQueue", of: task) as? DispatchQueue,
            let knownBody = Self.property("knownBody", of: task), let body = Body(knownBody: knownBody)
        else { return nil }
        self.session = session
        self.workQueue = workQueue
        self.body = body
        let behaviour = Self.property("taskRegistry", of: session)
            .flatMap { Self.property("behaviours", of: $0) as? any EntriesByNumber }
            .flatMap { $0.entry(task.taskIdentifier) }
        if task is URLSessionDownloadTask {
            delivery = .file
        } else {
            // Where it cannot be told, everything at once is right for both.
            delivery = behaviour.map { "\($0)" } == "callDelegate" ? .streamed : .collected
        }
        delegate = behaviour.flatMap(Self.delegate(in:)) ?? task.delegate
    }

    /// The delegate that an `async` call was given for its task alone.
    private static func delegate(in behaviour: Any) -> (any URLSessionTaskDelegate)? {
        guard let payload = Mirror(reflecting: behaviour).children.first?.value else { return nil }
        return Mirror(reflecting: payload).children.lazy.compactMap { $0.value as? any URLSessionTaskDelegate }.first
    }

    /// The value of a stored property, wherever in the hierarchy of classes it is.
    static func property(_ name: String, of object: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let level = mirror {
            if let child = level.children.first(where: { $0.label == name }) { return child.value }
            mirror = level.superclassMirror
        }
        return nil
    }
}

extension TaskParts.Body {
    /// - Parameters:
    ///   - knownBody: Foundation's optional enumeration.
    fileprivate init?(knownBody: Any) {
        let optional = Mirror(reflecting: knownBody)
        guard optional.displayStyle == .optional else { return nil }
        guard let body = optional.children.first?.value else {
            self = .fromDelegate
            return
        }
        guard let value = Mirror(reflecting: body).children.first?.value else {
            guard "\(body)" == "none" else { return nil }
            self = .none
            return
        }
        switch value {
        case let data as DispatchData: self = .data(Data(contentsOf: data))
        case let url as URL: self = .file(url)
        case let stream as InputStream: self = .stream(BodyStream(stream: stream))
        default: return nil
        }
    }
}

/// A stream that its owner has handed to a task.
struct BodyStream: @unchecked Sendable {
    // Sendable: it is only passed on, to the request that reads it.
    let stream: InputStream
}

/// Entries of a dictionary whose values are of a type that cannot be named.
private protocol EntriesByNumber {
    func entry(_ number: Int) -> Any?
}

extension Dictionary: EntriesByNumber where Key == Int {
    fileprivate func entry(_ number: Int) -> Any? { self[number] }
}

extension Data {
    fileprivate init(contentsOf dispatchData: DispatchData) {
        self.init(capacity: dispatchData.count)
        dispatchData.enumerateBytes { bytes, _, _ in append(bytes) }
    }
}
