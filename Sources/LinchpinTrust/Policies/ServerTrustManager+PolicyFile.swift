public import Foundation

extension ServerTrustManager {
    /// Makes the table that a JSON file describes.
    ///
    /// ```json
    /// {
    ///     "version": 1,
    ///     "allHostsMustBeEvaluated": true,
    ///     "hosts": {
    ///         "api.example.com": {
    ///             "pins": ["sha256/…", "sha256/…"],
    ///             "expiration": {"date": "2030-01-31", "afterwards": "refuse"}
    ///         },
    ///         "**.internal.example.com": {"roots": ["certs/root.pem"], "profile": "privatePKI"},
    ///         "*.example.com": {}
    ///     }
    /// }
    /// ```
    ///
    /// Only `version` is needed, the number of this format; a file of another one is refused. A member of `hosts` is a pattern as in
    /// ``init(allHostsMustBeEvaluated:evaluators:)``, and all fields of its entry may be left out:
    ///
    /// | Field | Value | If left out |
    /// |---|---|---|
    /// | `pins` | an array of pins, see ``PublicKeyPin/init(_:)`` | the usual validation, as ``DefaultTrustEvaluator`` |
    /// | `requiresBackupPin` | whether there have to be two pins at least | `true` |
    /// | `onMismatch` | `"refuse"`, `"refuseAndReport"` or `"reportOnly"`, see ``PinMismatchAction`` | `"refuse"` |
    /// | `expiration` | `{"date": …, "afterwards": "refuse"` or `"fallBackToDefaultValidation"}`, see ``PinExpiration`` | pins are in force for ever |
    /// | `certificates` | an array of PEM or DER files, see ``PinnedCertificatesTrustEvaluator`` | none is pinned |
    /// | `acceptSelfSignedCertificates` | whether those are the only roots | `false` |
    /// | `publicKeys` | an array of files with a PEM `PUBLIC KEY` or a certificate, see ``PublicKeysTrustEvaluator`` | none is pinned |
    /// | `performDefaultValidation` | whether a chain has to be valid beside what is pinned, see ``PublicKeyPinsTrustEvaluator`` | `true` |
    /// | `validateHost` | whether the host's name has to be in the certificate | `true` |
    /// | `roots` | `"system"`, `"given"`, or an array of PEM or DER files, relative to the policy file's directory | `"system"` |
    /// | `profile` | `"webPKI"` or `"privatePKI"`, see ``ValidationProfile`` | `"webPKI"` |
    /// | `revocation` | an object, see below | not looked at |
    /// | `transparency` | an object, see below | not looked at |
    /// | `clientIdentity` | the name of an identity that is handed over, which is shown to the hosts if they ask | none |
    ///
    /// An entry pins one kind of thing: `pins`, `certificates` or `publicKeys`. What it says of revocation and
    /// transparency has to hold as well. That any server is accepted cannot be said in a file.
    ///
    /// | Field of `revocation`, see ``RevocationTrustEvaluator`` | Value | If left out |
    /// |---|---|---|
    /// | `methods` | an array of `"ocsp"` and `"crl"` | both |
    /// | `preferCRL` | whether lists are fetched first | `false` |
    /// | `requirePositiveResponse` | whether it has to be known that nothing was revoked | `false` |
    /// | `networkAccess` | whether anything is fetched | `true` |
    /// | `lists` | an array of PEM or DER files with lists | none is at hand |
    ///
    /// | Field of `transparency`, see ``CertificateTransparencyTrustEvaluator`` | Value | If left out |
    /// |---|---|---|
    /// | `logs` | a file in OpenSSL's format, see ``TransparencyLog/logs(contentsOfFile:)`` | is needed |
    /// | `minimumLogs` | how many logs have to vouch for a certificate | `2` |
    ///
    /// Nothing is passed over: a field that is not known, a value of another type, `null`, a name that stands twice in
    /// its object, and a field about pins in an entry without any are errors. The text is UTF-8, with or without a byte
    /// order mark, of 1 MiB at most. JSONSerialization reads it, which is lenient about a comma after the last member
    /// and cannot see names that stand twice; those are looked for apart.
    ///
    /// The file and the roots that it names are read once, here. Who can write them decides who is trusted.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - givenRoots: what `"roots": "given"` stands for; nil, the default, makes that an error.
    ///   - clientIdentities: what the names in `clientIdentity` stand for; none by default, which makes a name an error.
    ///   - pinFailureHandler: who takes the reports of `onMismatch`; nil, the default, makes asking for them an error.
    /// - Throws: ``TrustError`` with code `unreadableFile` (path and errno's words) when the file cannot be read, else
    ///   `malformedPolicy`, whose reason begins with the path and the place of the mistake, such as
    ///   `policy.json: $.hosts["api.example.com"].pins[1]: …`.
    public convenience init(
        contentsOfPolicyFile path: String,
        givenRoots: TrustRoots? = nil,
        clientIdentities: [String: ClientIdentity] = [:],
        pinFailureHandler: PinFailureHandler? = nil
    ) throws(TrustError) {
        let given = PolicyGivens(
            roots: givenRoots,
            clientIdentities: clientIdentities,
            pinFailureHandler: pinFailureHandler
        )
        try self.init(PolicyFile(contentsOfFile: path, given: given))
    }

    /// Makes the table that JSON describes, as ``init(contentsOfPolicyFile:givenRoots:clientIdentities:pinFailureHandler:)`` does.
    ///
    /// - Parameters:
    ///   - data: what a policy file would hold.
    ///   - directory: what the paths in it are relative to.
    ///   - givenRoots: what `"roots": "given"` stands for; nil, the default, makes that an error.
    ///   - clientIdentities: what the names in `clientIdentity` stand for; none by default, which makes a name an error.
    ///   - pinFailureHandler: who takes the reports of `onMismatch`; nil, the default, makes asking for them an error.
    /// - Throws: ``TrustError`` with code `malformedPolicy`, whose reason begins with the place of the mistake.
    public convenience init(
        policy data: Data,
        relativeTo directory: String,
        givenRoots: TrustRoots? = nil,
        clientIdentities: [String: ClientIdentity] = [:],
        pinFailureHandler: PinFailureHandler? = nil
    ) throws(TrustError) {
        let given = PolicyGivens(
            roots: givenRoots,
            clientIdentities: clientIdentities,
            pinFailureHandler: pinFailureHandler
        )
        try self.init(PolicyFile(data, directory: directory, given: given))
    }

    /// Makes the table of a file that was read.
    ///
    /// - Throws: ``TrustError`` with code `malformedPolicy`.
    package convenience init(_ file: PolicyFile) throws(TrustError) {
        do {
            try self.init(
                allHostsMustBeEvaluated: file.allHostsMustBeEvaluated,
                evaluators: file.evaluators,
                clientIdentities: file.clientIdentities
            )
        } catch {
            throw file.fault(error)
        }
    }
}
