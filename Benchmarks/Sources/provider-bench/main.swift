import Foundation
import FoundationNetworking
import Linchpin

// What a stubbed request costs through a provider, beside the same by hand: the target's endpoint, its URL request, and
// what a `StubbedSession` answers to it. Both in turns, and the medians of the rounds.

/// The kinds of request that are compared.
struct Target: TargetType {
    let name: String
    let method: HTTPMethod
    let task: RequestTask
    let baseURL = URL(string: "https://api.example.com/v1") ?? URL(filePath: "/")
    let path = "books/17"
    let headers: [String: String]? = ["X-Client": "bench"]
    let sampleData = Data(#"{"title":"Ulysses"}"#.utf8)
}

let count = 100_000
let rounds = 9
let targets = [
    Target(name: "plain", method: .get, task: .requestPlain),
    Target(
        name: "parameters",
        method: .get,
        task: .requestParameters(parameters: ["q": "a b", "page": 1], encoding: URLEncoding.default)
    ),
]

/// Microseconds for each call.
func measured(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<count { body() }
    return (clock.now - start) / .microseconds(1) / Double(count)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func compare(_ target: Target) {
    // Written from the closure of an immediate stub, on the calling thread.
    nonisolated(unsafe) var answered = 0
    let provider = EndpointProvider<Target>(stubClosure: EndpointProvider.immediatelyStub)
    let stubs = StubbedSession { _ in .networkResponse(200, target.sampleData) }
    func byHand() {
        let endpoint = EndpointProvider<Target>.defaultEndpointMapping(for: target)
        guard let request = try? endpoint.urlRequest(),
            case .networkResponse(let status, let data)? = try? stubs.response(to: request)
        else { return }
        if Response(statusCode: status, data: data, request: request).statusCode == 200 { answered += 1 }
    }
    func throughProvider() {
        provider.request(target) { result in
            if case .success(let response) = result, response.statusCode == 200 { answered += 1 }
        }
    }
    var ours: [Double] = []
    var floor: [Double] = []
    // The first round warms up and is not counted.
    for round in 0...rounds {
        let costs =
            round.isMultiple(of: 2)
            ? (measured(throughProvider), measured(byHand))
            : {
                let floor = measured(byHand)
                return (measured(throughProvider), floor)
            }()
        guard round > 0 else { continue }
        ours.append(costs.0)
        floor.append(costs.1)
    }
    guard answered == 2 * count * (rounds + 1) else {
        FileHandle.standardError.write(Data("provider-bench: only \(answered) were answered\n".utf8))
        exit(1)
    }
    let more = median(zip(ours, floor).map { $0 - $1 })
    func text(_ value: Double) -> String { String(format: "%.2f", value) }
    print(
        "stubbed requests, \(target.name): provider \(text(median(ours))) µs, by hand \(text(median(floor))) µs, "
            + "\(text(more)) µs more (aim: 2)"
    )
}

for target in targets { compare(target) }
