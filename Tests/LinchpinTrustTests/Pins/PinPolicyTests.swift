import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

/// Backup pins and the day on which pins expire.
@Suite struct PinPolicyTests {
    static let stranger = "sha256/\(Data(repeating: 7, count: 32).base64EncodedString())"

    // MARK: Backup pins

    @Test func `an empty list of pins is an error`() {
        for isRequired in [true, false] {
            let error = #expect(throws: TrustError.self) {
                try PublicKeyPinsTrustEvaluator(pins: [], requiresBackupPin: isRequired)
            }
            #expect(error?.code == .noPinsFound)
        }
    }

    @Test func `a single pin is an error unless it is said that it needs no backup`() throws {
        let hex = String(repeating: "07", count: 32)
        for pins in [[Self.stranger], [Self.stranger, Self.stranger], [Self.stranger, hex, hex.uppercased()]] {
            let error = #expect(throws: TrustError.self) { try PublicKeyPinsTrustEvaluator(pins: pins) }
            #expect(error?.code == .noBackupPin)
            #expect(error?.reason.contains("requiresBackupPin: false") == true)
            _ = try PublicKeyPinsTrustEvaluator(pins: pins, requiresBackupPin: false)
            _ = try PublicKeyPinsTrustEvaluator(pins: pins + [String(repeating: "08", count: 32)])
        }
    }

    // MARK: Expiry

    private func evaluator(
        _ pins: [String],
        until date: Date,
        _ afterwards: PinExpiration.Afterwards,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        roots: TrustRoots
    ) throws -> PublicKeyPinsTrustEvaluator {
        try PublicKeyPinsTrustEvaluator(
            pins: pins,
            requiresBackupPin: false,
            expiration: PinExpiration(date, afterwards: afterwards),
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost,
            roots: roots
        )
    }

    @Test(arguments: [PinExpiration.Afterwards.refuse, .fallBackToDefaultValidation])
    func `pins are in force up to their last moment`(afterwards: PinExpiration.Afterwards) throws {
        let world = try World()
        for date in [noon, noon.addingTimeInterval(1), noon.addingTimeInterval(86_400)] {
            let right = try evaluator([world.server.pin.description], until: date, afterwards, roots: world.roots)
            #expect(try refusal(by: right, of: world.server.chain) == nil)
            let wrong = try evaluator([Self.stranger], until: date, afterwards, roots: world.roots)
            #expect(try refusal(by: wrong, of: world.server.chain)?.code == .pinMismatch)
        }
    }

    @Test(arguments: [true, false])
    func `expired pins refuse where that was said, right or wrong`(isValidated: Bool) throws {
        let world = try World()
        for pin in [world.server.pin.description, Self.stranger] {
            let evaluator = try evaluator(
                [pin],
                until: noon.addingTimeInterval(-1),
                .refuse,
                performDefaultValidation: isValidated,
                roots: world.roots
            )
            let error = try refusal(by: evaluator, of: world.server.chain)
            #expect(error?.code == .pinsExpired)
            #expect(error?.reason.contains(noon.addingTimeInterval(-1).rfc3339) == true)
            #expect(error?.expectedPins == [pin])
            #expect(
                try refusal(by: evaluator, of: world.server.chain, at: noon.addingTimeInterval(-2))?.code
                    == (pin == Self.stranger ? .pinMismatch : nil)
            )
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `expired pins leave the usual validation, whatever was left out with them`(
        isValidated: Bool,
        isHostValidated: Bool
    ) throws {
        let world = try World()
        let evaluator = try evaluator(
            [Self.stranger],
            until: noon.addingTimeInterval(-1),
            .fallBackToDefaultValidation,
            performDefaultValidation: isValidated,
            validateHost: isHostValidated,
            roots: world.roots
        )
        #expect(try refusal(by: evaluator, of: world.server.chain) == nil)
        #expect(try refusal(by: evaluator, of: world.server.chain, host: "other.example.com")?.code == .hostMismatch)
        #expect(try refusal(by: evaluator, of: [world.server.certificate])?.code == .noAnchor)
        let late = noon.addingTimeInterval(40 * 86_400)
        #expect(try refusal(by: evaluator, of: world.server.chain, at: late)?.code == .expired)
    }

    @Test func `a self-signed server that was accepted by its pin is refused after the pin`() throws {
        let server = try LocalCertificateAuthority.selfSigned([.dns(World.host)], validity: .atNoon)
        let evaluator = try evaluator(
            [server.pin.description],
            until: noon,
            .fallBackToDefaultValidation,
            performDefaultValidation: false,
            roots: .system
        )
        #expect(try refusal(by: evaluator, of: server.chain) == nil)
        #expect(try refusal(by: evaluator, of: server.chain, at: noon.addingTimeInterval(1))?.code == .noAnchor)
    }

    @Test func `a verdict ends with the pins, or with a certificate that ends earlier`() throws {
        let world = try World()
        let certificateEnd = world.server.certificate.notAfter
        func validUntil(_ end: Date, at date: Date = noon, isValidated: Bool = true) throws -> Date {
            let evaluator = try evaluator(
                [world.server.pin.description],
                until: end,
                .fallBackToDefaultValidation,
                performDefaultValidation: isValidated,
                roots: world.roots
            )
            let policy = TrustPolicy(evaluator: evaluator, pattern: nil, isExplicit: true, generation: 1, tag: "")
            let judge = HandshakeJudge(identity: .dns(World.host), policy: policy) { date }
            return try judge.evaluate(presentedChain: world.server.chain).validUntil
        }
        #expect(try validUntil(noon.addingTimeInterval(60)) == noon.addingTimeInterval(60))
        #expect(try validUntil(noon.addingTimeInterval(60), isValidated: false) == noon.addingTimeInterval(60))
        #expect(try validUntil(certificateEnd.addingTimeInterval(60)) == certificateEnd)
        // What is let in after the pins is let in by its certificates alone.
        #expect(try validUntil(noon.addingTimeInterval(-60)) == certificateEnd)
    }

    @Test func `the last second of the pins is in force to its end`() throws {
        let world = try World()
        let end = noon.addingTimeInterval(60)
        let evaluator = try evaluator([world.server.pin.description], until: end, .refuse, roots: world.roots)
        for (seconds, code) in [(60, nil), (60.999, nil), (61, .pinsExpired)] as [(Double, TrustError.Code?)] {
            let date = noon.addingTimeInterval(seconds)
            #expect(try refusal(by: evaluator, of: world.server.chain, at: date)?.code == code, "\(seconds)")
        }
    }

    @Test func `roots that accept nothing are found where only expired pins need them`() throws {
        for (afterwards, code) in [
            (PinExpiration.Afterwards.fallBackToDefaultValidation, TrustError.Code.noCertificatesFound), (.refuse, nil),
        ] {
            let evaluator = try evaluator(
                [Self.stranger],
                until: noon,
                afterwards,
                performDefaultValidation: false,
                roots: .certificates([])
            )
            var found: TrustError.Code?
            do throws(TrustError) { try evaluator.validateConfiguration() } catch { found = error.code }
            #expect(found == code)
        }
    }

    // MARK: Dates as text

    @Test(arguments: [
        ("2033-05-18", "2033-05-18T00:00:00Z"), ("2033-05-18T03:33:20Z", "2033-05-18T03:33:20Z"),
        ("2032-02-29", "2032-02-29T00:00:00Z"), ("0001-01-01", "0001-01-01T00:00:00Z"),
    ])
    func `a date is read as it is written`(text: String, moment: String) throws {
        let expiration = try PinExpiration(text, afterwards: .refuse)
        #expect(expiration.date.rfc3339 == moment)
        #expect(expiration.afterwards == .refuse)
    }

    @Test(arguments: [
        "", "2033", "2033-05", "2033-5-18", "18.05.2033", "05/18/2033", "2033-13-01", "2033-00-01", "2033-02-29",
        "2033-02-30", "2033-04-31", "2033-05-00", "2033-05-18Z", " 2033-05-18", "2033-05-18 ", "2033-05-18\n",
        "2033-05-18T03:33:20", "2033-05-18 03:33:20Z", "2033-05-18T24:00:00Z", "2033-05-18T03:60:00Z",
        "2033-05-18T03:33:20.5Z", "2033-05-18T03:33:20+02:00", "2033-05-18T03:33Z", "20330518", "20330518T033320Z",
        "2033-W20-3", "never", "٢٠٣٣-٠٥-١٨", "2033-05-18T03:33:20Zx", "+2033-05-18",
    ])
    func `what is no date is an error that names it`(text: String) {
        let error = #expect(throws: TrustError.self) { try PinExpiration(text, afterwards: .refuse) }
        #expect(error?.code == .malformedDate)
        #expect(error?.reason.hasPrefix("\"\(text)\"") == true)
    }
}
