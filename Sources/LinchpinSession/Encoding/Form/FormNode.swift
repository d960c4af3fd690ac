/// What a value has become on its way to a form's text.
enum FormNode {
    case text(String)
    case array(FormArray)
    case object(FormObject)
}

/// A place that a node is put into: the root, an element, the value of a key.
final class FormPlace {
    /// Nil until something is put there.
    var node: FormNode?
}

/// The elements of an array in their order. A nil has no node.
final class FormArray {
    var elements: [FormPlace] = []
}

/// The pairs of an object, in the order in which their keys came.
final class FormObject {
    private(set) var pairs: [(key: String, place: FormPlace)] = []
    private var places: [String: FormPlace] = [:]

    /// The place of a key, as other encoders have it: the last value of a key stays.
    func place(of key: String) -> FormPlace {
        if let place = places[key] { return place }
        let place = FormPlace()
        places[key] = place
        pairs.append((key, place))
        return place
    }
}
