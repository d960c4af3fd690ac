internal import CLinchpin
internal import COpenSSL

/// The names below which an authority may issue, and may not (RFC 5280 §4.2.1.10).
struct NameConstraints {
    /// Nil where the field is absent.
    let permitted: [GeneralName]?
    let excluded: [GeneralName]?

    /// The constraints of a certificate that has the extension; nil when they cannot be read.
    init?(of certificate: Certificate) {
        guard let raw = X509_get_ext_d2i(certificate.handle.pointer, NID_name_constraints, nil, nil) else { return nil }
        let constraints = raw.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
        defer { NAME_CONSTRAINTS_free(constraints) }
        permitted = Self.subtrees(constraints.pointee.permittedSubtrees)
        excluded = Self.subtrees(constraints.pointee.excludedSubtrees)
    }

    var all: [GeneralName] { (permitted ?? []) + (excluded ?? []) }

    private static func subtrees(_ stack: OpaquePointer?) -> [GeneralName]? {
        guard let stack else { return nil }
        return (0..<clinchpin_sk_GENERAL_SUBTREE_num(stack)).compactMap { index in
            clinchpin_sk_GENERAL_SUBTREE_value(stack, index)?.pointee.base.map { GeneralName($0) }
        }
    }
}
