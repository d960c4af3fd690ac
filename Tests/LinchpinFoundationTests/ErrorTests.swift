import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinFoundation
@testable import LinchpinSession

@Suite struct ErrorTests {
    static let codes: [(SessionError, URLError.Code)] = [
        (.explicitlyCancelled, .cancelled),
        (.sessionDeinitialized, .resourceUnavailable),
        (.invalidURL(url: "x y"), .badURL),
        (.urlRequestValidationFailed(reason: .bodyDataInGETRequest(Data())), .dataLengthExceedsMaximum),
        (.transport(.cannotFindHost), .cannotFindHost),
        (.transport(.cannotConnect), .cannotConnectToHost),
        (.transport(.secureConnectionFailed), .secureConnectionFailed),
        (.transport(.timedOut(.connect, after: 1)), .timedOut),
        (.transport(.connectionLost), .networkConnectionLost),
        (.transport(.bodyUnreadable), .requestBodyStreamExhausted),
        (.transport(.fileUnwritable), .cannotWriteToFile),
        (.transport(.badServerResponse), .badServerResponse),
        (.transport(.tooManyRedirects), .httpTooManyRedirects),
        (.transport(.redirectRefused), .unsupportedURL),
        (.transport(.other), .unknown),
        (.serverTrustEvaluationFailed(reason: TrustError(.expired, reason: "")), .serverCertificateHasBadDate),
        (.serverTrustEvaluationFailed(reason: TrustError(.notYetValid, reason: "")), .serverCertificateNotYetValid),
        (.serverTrustEvaluationFailed(reason: TrustError(.noAnchor, reason: "")), .serverCertificateHasUnknownRoot),
        (.serverTrustEvaluationFailed(reason: TrustError(.hostMismatch, reason: "")), .serverCertificateUntrusted),
        (.serverTrustEvaluationFailed(reason: TrustError(.pinsExpired, reason: "")), .serverCertificateUntrusted),
        (
            .serverTrustEvaluationFailed(reason: TrustError(.cleartextRefused, reason: "")),
            .appTransportSecurityRequiresSecureConnection
        ),
        (
            .requestRetryFailed(retryError: URLError(.unknown), originalError: SessionError.explicitlyCancelled),
            .cancelled
        ),
        (.requestAdaptationFailed(error: URLError(.userAuthenticationRequired)), .userAuthenticationRequired),
    ]

    @Test func `errors of a session have the codes of Apple's systems`() {
        for (error, code) in Self.codes { #expect(URLError.Code(error) == code, "\(error)") }
    }

    @Test func `an error keeps what it was made of`() throws {
        let error = URLError(SessionError.explicitlyCancelled, url: URL(string: "https://localhost/"))
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? SessionError)
        #expect(underlying.isExplicitlyCancelledError)
        #expect(error.failingURL?.host == "localhost")
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: LocalTLSServer.Fault
        let code: URLError.Code
    }

    static let faults = [
        Fault(testDescription: "closed", fault: .close, code: .networkConnectionLost),
        Fault(testDescription: "reset", fault: .reset, code: .networkConnectionLost),
        Fault(testDescription: "closed in the body", fault: .closeAfter(bytes: 2), code: .networkConnectionLost),
        Fault(testDescription: "no HTTP", fault: .raw(Data("what?\r\n\r\n".utf8)), code: .badServerResponse),
    ]

    @Test(arguments: faults)
    func `what a server does wrong has a code`(_ fault: Fault) async throws {
        let world = try World()
        let server = try world.server { _ in .init(body: Data(repeating: 65, count: 100), fault: fault.fault) }
        #expect(try await world.client().failure(server.url)?.code == fault.code)
    }

    @Test func `a server that does not listen cannot be connected to`() async throws {
        let world = try World()
        let server = try world.server()
        let url = server.url
        server.stop()
        #expect(try await world.client().failure(url)?.code == .cannotConnectToHost)
    }

    @Test func `each time-out of URLSession counts`() async throws {
        let world = try World()
        let silent = try world.server { _ in .fault(.hold) }
        let deaf = try world.server(.init(connectionFault: .holdHandshake))
        let slow = try world.server { _ in
            .init(body: Data(repeating: 65, count: 600), fault: .trickle(bytesPerChunk: 1, every: 0.05))
        }
        let request = URLRequest(silent.url) { $0.timeoutInterval = 0.2 }
        #expect(try await world.client().failure(request)?.code == .timedOut)
        for server in [silent, deaf] {
            let client = try world.client { $0.timeoutIntervalForRequest = 0.2 }
            #expect(await client.failure(server.url)?.code == .timedOut)
        }
        let client = try world.client { $0.timeoutIntervalForResource = 0.4 }
        #expect(await client.failure(slow.url)?.code == .timedOut)
    }
}

extension SessionError {
    fileprivate static func transport(_ code: TransportError.Code) -> SessionError {
        .sessionTaskFailed(error: TransportError(code: code, curlCode: nil, message: "test"))
    }
}
