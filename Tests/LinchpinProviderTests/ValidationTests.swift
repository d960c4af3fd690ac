import Foundation
import LinchpinProvider
import Testing

@Suite struct ValidationTests {
    @Test(arguments: [
        (ValidationType.none, [100, 200, 404, 599], []),
        (.successCodes, [200, 204, 299], [199, 300, 304, 404, 500]),
        (.successAndRedirectCodes, [200, 304, 399], [199, 400, 500]),
        (.customCodes([200, 404]), [200, 404], [201, 500]),
        (.customCodes([]), [200, 500], []),
    ])
    func `codes are accepted as the type has it`(_ type: ValidationType, _ good: [Int], _ bad: [Int]) {
        for code in good { #expect(type.accepts(code)) }
        for code in bad { #expect(!type.accepts(code)) }
    }

    @Test(arguments: Way.allCases)
    func `a refused code keeps its response on every way`(_ way: Way) async throws {
        let world = try Way.world()
        let provider = way.provider(world)
        let refused = await provider.outcome(of: world.call("404") { $0.validationType = .successCodes })
        guard case .failure(let error) = refused,
            case .underlying(ProviderError.statusCode(let inner), let outer?) = error
        else {
            Issue.record("another result: \(refused)")
            return
        }
        #expect(inner === outer)
        #expect(error.response?.statusCode == 404)
        #expect(error.response?.data == Data("body".utf8))
        #expect(error.errorDescription == ProviderError.statusCode(inner).errorDescription)
        let accepted = await provider.outcome(of: world.call("404") { $0.validationType = .customCodes([404]) })
        #expect(accepted.summary == "404 body")
    }
}
