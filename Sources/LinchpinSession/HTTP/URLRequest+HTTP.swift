public import FoundationNetworking

extension URLRequest {
    /// The fields in the order of their names. Foundation keeps one of a name; of repeated ones that are set it keeps
    /// the values, joined by commas.
    public var headers: HTTPHeaders {
        get { HTTPHeaders(allHTTPHeaderFields ?? [:]) }
        set {
            for name in (allHTTPHeaderFields ?? [:]).keys { setValue(nil, forHTTPHeaderField: name) }
            for (name, value) in newValue.dictionary { setValue(value, forHTTPHeaderField: name) }
        }
    }

    /// The method; GET for a request that says none.
    public var method: HTTPMethod? {
        get { httpMethod.map(HTTPMethod.init) }
        set { httpMethod = newValue?.rawValue }
    }
}

extension HTTPURLResponse {
    /// The fields in the order of their names. Foundation joins repeated ones by commas; a response's own `headers` keep
    /// them apart.
    public var headers: HTTPHeaders {
        HTTPHeaders(
            allHeaderFields.reduce(into: [String: String]()) { fields, field in
                if let name = field.key as? String { fields[name] = field.value as? String }
            }
        )
    }
}
