import Foundation
import FoundationNetworking
import Linchpin
import LinchpinFoundation
import LinchpinTesting

// A client that is written for URLSession is pinned by one line in its configuration. Ends with 0 when everything was
// as it should be.

/// Ends the program when the claim is wrong.
func show(_ claim: String, _ isTrue: Bool) {
    print(isTrue ? "right: \(claim)" : "WRONG: \(claim)")
    if !isTrue { exit(1) }
}

// The server: an authority of our own, and a certificate for localhost.
let authority = try LocalCertificateAuthority()
let identity = try authority.issue()
let server = try LocalTLSServer(identity: identity) { request in
    switch (request.method, request.path) {
    case ("GET", "/weather/Oslo"): .json(#"{"city":"Oslo","degrees":-3}"#)
    case ("POST", "/weather") where request.header("Authorization") == "Bearer t0ken": .init(status: 201)
    default: .text("no", status: 404)
    }
}

/// The client, with the pinned key; only the line in the middle is new.
func client(pinning pin: String) throws -> WeatherClient {
    let manager = try ServerTrustManager(evaluators: [
        "localhost": PublicKeyPinsTrustEvaluator(
            pins: [pin],
            requiresBackupPin: false,
            roots: .certificates([authority.certificate])
        )
    ])
    let configuration = URLSessionConfiguration.default
    configuration.use(Session(serverTrustManager: manager))
    return WeatherClient(server: server.url, urlSession: URLSession(configuration: configuration))
}

let pinned = try client(pinning: identity.pin.description)
let report = try await pinned.report(for: "Oslo")
show("a data task reads from the pinned server: \(report.degrees) degrees in \(report.city)", report.degrees == -3)
show("an upload task sends its token there", try await pinned.send(report, token: "t0ken") == 201)

// The same client, with another key pinned.
let wrong = try client(pinning: "sha256/\(String(repeating: "A", count: 43))=")
let received = server.log.bytesReceived
do {
    _ = try await wrong.send(report, token: "t0ken")
    show("a server with another key is refused", false)
} catch let error as URLError {
    show("a server with another key is refused, with URLSession's own error", error.code == .serverCertificateUntrusted)
    show("the refused server has not got one byte of the request", server.log.bytesReceived == received)
}

// URLSession's own transport knows the system's roots, and nothing else.
let plain = WeatherClient(server: server.url, urlSession: URLSession(configuration: .ephemeral))
do {
    _ = try await plain.report(for: "Oslo")
    show("URLSession alone does not know our authority", false)
} catch {
    show("URLSession alone does not know our authority", true)
}
