// Linchpin for SwiftyJSON: copy this file into your target. Tried with SwiftyJSON at 8805b54 (after 5.0.2), whose
// comparison of two numbers had to be spelled out to compile on Linux; in Swift 5 and Swift 6 mode.

import LinchpinProvider
import SwiftyJSON

extension Response {
    /// The body as SwiftyJSON has it.
    ///
    /// - Throws: `ProviderError.jsonMapping` when it is no JSON.
    public func mapSwiftyJSON(failsOnEmptyData: Bool = true) throws -> JSON {
        JSON(try mapJSON(failsOnEmptyData: failsOnEmptyData))
    }
}
