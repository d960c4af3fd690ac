public import Foundation
internal import LinchpinSession

extension Response {
    /// The body as JSON: a dictionary, an array, a string, a number or `NSNull`. JSON is UTF-8 whatever the
    /// response's Content-Type says (RFC 8259 §8.1).
    ///
    /// - Parameters:
    ///   - failsOnEmptyData: whether a body of no bytes is an error, true by default; else it is `NSNull`.
    /// - Throws: ``ProviderError`` `.jsonMapping`.
    public func mapJSON(failsOnEmptyData: Bool = true) throws(ProviderError) -> Any {
        if data.isEmpty, !failsOnEmptyData { return NSNull() }
        do {
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch {
            throw .jsonMapping(self)
        }
    }

    /// The body as text, or the string at a key path of its JSON.
    ///
    /// - Parameters:
    ///   - keyPath: keys joined by dots, such as `user.name`; nil, the default, for the whole body. JSON is UTF-8,
    ///     whatever is said of its encoding.
    ///   - encoding: what the whole body is read as; nil, the default, for the charset that the response's Content-Type
    ///     names, else the one of its byte order mark, else UTF-8. No byte is ever replaced.
    /// - Throws: ``ProviderError`` `.stringMapping`, and `.jsonMapping` when there is a key path and no JSON.
    public func mapString(
        atKeyPath keyPath: String? = nil,
        encoding: String.Encoding? = nil
    ) throws(ProviderError) -> String {
        guard let keyPath else {
            do throws(SessionError) {
                return try TextDecoding.text(of: data, encoding: encoding, response: response)
            } catch {
                throw .stringMapping(self)
            }
        }
        guard let text = KeyPathWalk(keyPath).value(in: try mapJSON()) as? String else { throw .stringMapping(self) }
        return text
    }

    /// The value that the decoder makes of the body, or of what is at a key path of its JSON.
    ///
    /// - Parameters:
    ///   - type: what to decode.
    ///   - keyPath: keys joined by dots, such as `data.items`; the keys are those of the JSON, whatever the decoder's
    ///     strategy. A key after an array is looked up in each element. Nil, the default, for the whole body.
    ///   - decoder: a `JSONDecoder` by default.
    ///   - failsOnEmptyData: whether it is an error when the body has no bytes or nothing is at the key path, true by
    ///     default. Else a missing key path means the whole body, and no bytes mean `{}` or, failing that, `[{}]`.
    /// - Throws: ``ProviderError`` `.objectMapping` with the decoder's error; `.jsonMapping` when there is a key path
    ///   and no JSON, or nothing at it.
    public func map<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) throws(ProviderError) -> D {
        let body = try json(atKeyPath: keyPath, failsOnEmptyData: failsOnEmptyData)
        if body.isEmpty, !failsOnEmptyData {
            for stand in ["{}", "[{}]"] {
                if let value = try? decoder.decode(type, from: Data(stand.utf8)) { return value }
            }
        }
        do {
            return try decoder.decode(type, from: body)
        } catch {
            throw .objectMapping(error, self)
        }
    }

    /// The JSON text of what is at the key path; the whole body without one.
    private func json(atKeyPath keyPath: String?, failsOnEmptyData: Bool) throws(ProviderError) -> Data {
        guard let keyPath else { return data }
        let json = try mapJSON(failsOnEmptyData: failsOnEmptyData)
        guard let value = KeyPathWalk(keyPath).value(in: json) else {
            guard failsOnEmptyData else { return data }
            throw .jsonMapping(self)
        }
        do {
            return try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
        } catch {
            throw .jsonMapping(self)
        }
    }
}
