import LinchpinTesting
import Moya

// An app in the style that Moya's users write, against a server of its own. Ends with 0 when everything was as it
// should be.

/// Ends the program when the claim is wrong.
func show(_ claim: String, _ isTrue: Bool) {
    print(isTrue ? "right: \(claim)" : "WRONG: \(claim)")
    if !isTrue { exit(1) }
}

/// Waits for one of the two ends.
func answer<Value: Decodable & Sendable>(
    _ provider: MoyaProvider<ShopAPI>,
    _ target: ShopAPI,
    as type: Value.Type
) async -> Result<Value?, MoyaError> {
    await withCheckedContinuation { continuation in
        provider.send(
            target,
            as: type,
            success: { value, _ in continuation.resume(returning: .success(value)) },
            failure: { continuation.resume(returning: .failure($0)) }
        )
    }
}

final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [String] = []
    var lines: [String] { lock.withLock { kept } }
    func write(_ line: String) { lock.withLock { kept.append(line) } }
}

let shop = try ShopServer()
ShopAPI.root = shop.server.url(host: "localhost", path: "")
let log = Log()
// What the app has in its bundle: the certificate's bytes.
let bundled = SecCertificateCreateWithData(nil, shop.identity.certificate.der as CFData).map { [$0] } ?? []
let provider = MoyaProvider<ShopAPI>.shop(pinning: bundled) { log.write($0) }

let refused = await answer(provider, .login(name: "ada", password: "wrong"), as: String.self)
if case .failure(.statusCode(let response)) = refused {
    show("a wrong password is a status that the app filters: \(response.statusCode)", response.statusCode == 401)
} else {
    show("a wrong password is a status that the app filters", false)
}

let login = await answer(provider, .login(name: "ada", password: "s3cret"), as: Login.self)
Account.shared.token = try login.get()?.token ?? ""
show("the login gives a token", Account.shared.token == "t0ken")

let products = try await answer(provider, .products(page: 1), as: [String].self).get()
show("parameters go into the query, the token into its field: \(products ?? [])", products == ["bolt", "nut"])

let order = try await answer(provider, .orders(.add(product: 7)), as: String.self).get()
show("a child API has a body and a query: \(order ?? "")", order == "9 bytes ordered")

var steps: [Double] = []
for try await step in provider.requestWithProgress(.picture(Data(repeating: 7, count: 200_000))) {
    steps.append(step.progress)
}
show("a picture is uploaded with its progress", steps.last == 1 && steps == steps.sorted())

let stub = MoyaProvider<ShopAPI>(stubClosure: MoyaProvider.immediatelyStub)
let sample = try await stub.request(.products(page: 1)).mapString(atKeyPath: "message")
show("a stub answers without a server: \(sample)", sample == "a sample")

let written = log.lines.joined(separator: "\n")
show(
    "the log has \(log.lines.count) lines, and neither token nor password",
    !written.contains("t0ken") && !written.contains("s3cret")
)

// Another server's certificate in the bundle: the token stays here.
let stranger = try LocalCertificateAuthority.selfSigned().certificate
let bytes = shop.server.log.bytesReceived
let wrong = await answer(
    MoyaProvider<ShopAPI>.shop(pinning: [stranger]) { _ in },
    .products(page: 1),
    as: [String].self
)
if case .failure(let error) = wrong, error.trustError != nil {
    show("a server with another certificate is refused", true)
} else {
    show("a server with another certificate is refused", false)
}
show("the refused server has not got one byte of the request", shop.server.log.bytesReceived == bytes)
