internal import CLinchpin

/// Names under which anybody can register a host, as far as this system knows them.
enum PublicSuffix {
    /// Whether `name`, in lower-case A-labels, is a top-level domain or, where libpsl is installed, another suffix of
    /// the list's ICANN section such as `co.uk`.
    ///
    /// The list's private section (`github.io`, `s3.amazonaws.com`) does not count: all hosts below such a name are
    /// served by one operator, for which one policy makes sense.
    static func contains(_ name: String) -> Bool {
        !name.contains(".") || clinchpin_psl_is_icann_suffix(name) == 1
    }

    /// Whether nobody may have a wildcard for `name` from such an authority, because strangers share it.
    ///
    /// The list's private section counts unless the authority is a public one; see ``AnchorOrigin``.
    static func contains(_ name: String, issuer: AnchorOrigin) -> Bool {
        switch issuer {
        case .caller: !name.contains(".") || clinchpin_psl_is_public_suffix(name) == 1
        case .system: contains(name)
        }
    }
}
