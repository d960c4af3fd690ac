// Linchpin for ObjectMapper: copy this file into your target. Tried with ObjectMapper 4.4.3, in Swift 5 and Swift 6
// mode.

import LinchpinProvider
import ObjectMapper

extension Response {
    /// The object that the body, or what is at the key path, is.
    ///
    /// - Throws: `ProviderError.jsonMapping` when it is none.
    public func mapObject<Object: BaseMappable>(
        _ type: Object.Type,
        atKeyPath keyPath: String? = nil,
        context: (any MapContext)? = nil
    ) throws -> Object {
        guard let object = Mapper<Object>(context: context).map(JSONObject: try value(atKeyPath: keyPath)) else {
            throw ProviderError.jsonMapping(self)
        }
        return object
    }

    /// The objects of the array that the body, or what is at the key path, is. One that is no such object is an error.
    ///
    /// - Throws: `ProviderError.jsonMapping`.
    public func mapArray<Object: BaseMappable>(
        _ type: Object.Type,
        atKeyPath keyPath: String? = nil,
        context: (any MapContext)? = nil
    ) throws -> [Object] {
        guard let array = try value(atKeyPath: keyPath) as? [Any],
            let objects = Mapper<Object>(context: context).mapArray(JSONObject: array), objects.count == array.count
        else { throw ProviderError.jsonMapping(self) }
        return objects
    }

    private func value(atKeyPath keyPath: String?) throws -> Any {
        var value = try mapJSON()
        for key in keyPath?.split(separator: ".") ?? [] {
            guard let next = (value as? [String: Any])?[String(key)] else { throw ProviderError.jsonMapping(self) }
            value = next
        }
        return value
    }
}
