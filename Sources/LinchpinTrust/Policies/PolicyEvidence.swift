/// What an entry of a policy file wants to know beside the chain and its pins: revocation and transparency.
struct PolicyEvidence {
    let fields: [String: PolicyNode]
    let usual: PolicyEntry.Usual

    /// They take the chain that was validated before them.
    func evaluators(_ reader: PolicyRoots) throws(TrustError) -> [any ServerTrustEvaluating] {
        var evaluators: [any ServerTrustEvaluating] = []
        if let node = fields["revocation"] {
            try requireValidation(node)
            evaluators.append(try revocation(node, reader))
        }
        if let node = fields["transparency"] {
            try requireValidation(node)
            evaluators.append(try transparency(node, reader))
        }
        return evaluators
    }

    private func requireValidation(_ node: PolicyNode) throws(TrustError) {
        guard usual.performDefaultValidation else {
            throw node.fault("it wants a valid chain, and performDefaultValidation is false")
        }
    }

    private func revocation(
        _ node: PolicyNode,
        _ reader: PolicyRoots
    ) throws(TrustError) -> any ServerTrustEvaluating {
        let fields = try node.fields(["methods", "preferCRL", "requirePositiveResponse", "networkAccess", "lists"])
        var options = RevocationTrustEvaluator.Options.any
        if let methods = fields["methods"] {
            options = []
            for method in try methods.elements() {
                options.insert(try method.choice(["ocsp": .ocsp, "crl": .crl]))
            }
            guard !options.isEmpty else { throw methods.fault("no method is named; write \"ocsp\", \"crl\" or both") }
        }
        if try fields["preferCRL"]?.boolean() ?? false { options.insert(.preferCRL) }
        if try fields["requirePositiveResponse"]?.boolean() ?? false { options.insert(.requirePositiveResponse) }
        if try !(fields["networkAccess"]?.boolean() ?? true) { options.insert(.networkAccessDisabled) }
        let evaluator = RevocationTrustEvaluator(
            performDefaultValidation: false,
            validateHost: usual.validateHost,
            options: options,
            lists: try fields["lists"].map { node throws(TrustError) in try reader.revocationLists(node) } ?? [],
            roots: usual.roots,
            profile: usual.profile
        )
        do {
            try evaluator.validateConfiguration()
        } catch {
            throw node.fault(error)
        }
        return evaluator
    }

    private func transparency(
        _ node: PolicyNode,
        _ reader: PolicyRoots
    ) throws(TrustError) -> any ServerTrustEvaluating {
        let fields = try node.fields(["logs", "minimumLogs"])
        guard let logs = fields["logs"] else { throw node.missing("logs", "the path of a list in OpenSSL's format") }
        let minimum = try fields["minimumLogs"].map { node throws(TrustError) in
            guard let number = Int(try node.number()) else { throw node.fault("a whole number is wanted here") }
            return number
        }
        do {
            return try CertificateTransparencyTrustEvaluator(
                logs: reader.transparencyLogs(logs),
                minimumLogs: minimum ?? 2,
                performDefaultValidation: false,
                validateHost: usual.validateHost,
                roots: usual.roots,
                profile: usual.profile
            )
        } catch {
            throw error.code == .malformedPolicy ? error : node.fault(error)
        }
    }
}
