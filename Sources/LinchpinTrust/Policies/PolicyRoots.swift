/// Reads what entries say about roots. Each file is read once, so that all entries see the same.
struct PolicyRoots {
    /// What paths in the file are relative to; empty for the working directory, nil where no file may be named.
    let directory: String?
    /// What `"given"` stands for; nil where nothing was given.
    let given: TrustRoots?
    /// Whether an entry asked for the given roots.
    private(set) var usesGiven = false
    private var read: [[String]: TrustRoots] = [:]

    init(directory: String?, given: TrustRoots?) {
        self.directory = directory
        self.given = given
    }

    /// The roots that a value stands for.
    mutating func roots(_ node: PolicyNode) throws(TrustError) -> TrustRoots {
        guard node.isString else { return try certificates(node) }
        switch try node.string() {
        case "system": return .system
        case "given":
            guard let given else {
                throw node.fault("\"given\" stands for roots that are handed over with the file, and none were")
            }
            usesGiven = true
            return given
        case let word:
            throw node.fault(
                "\(PolicyNode.quoted(word)) is neither \"system\" nor \"given\"; for files write an array of files"
            )
        }
    }

    private mutating func certificates(_ node: PolicyNode) throws(TrustError) -> TrustRoots {
        guard let files = try? node.elements() else {
            throw node.fault(wanted: "\"system\", \"given\" or an array of files")
        }
        guard !files.isEmpty else { throw node.fault("no file is named; an empty list accepts nothing") }
        var paths: [String] = []
        for file in files { paths.append(try path(file)) }
        if let roots = read[paths] { return roots }
        var anchors: [Certificate] = []
        for (file, path) in zip(files, paths) {
            do {
                anchors += try Certificate.certificates(contentsOfFile: path)
            } catch {
                throw file.fault(error)
            }
        }
        let roots = TrustRoots.certificates(anchors)
        read[paths] = roots
        return roots
    }

    /// The path that a string is, relative to the file's directory.
    func path(_ node: PolicyNode) throws(TrustError) -> String {
        let name = try node.string()
        guard let directory else {
            throw node.fault("a signature does not cover the file; say in which directory the program has its own")
        }
        // C would read the path up to the NUL, and an empty one is the directory.
        guard !name.isEmpty, !name.utf8.contains(0) else { throw node.fault("\(name.debugDescription) is not a path") }
        return name.hasPrefix("/") || directory.isEmpty ? name : "\(directory)/\(name)"
    }
}
