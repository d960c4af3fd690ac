import Foundation
import Testing

@testable import LinchpinSession

@Suite struct DefaultFieldTests {
    @Test(
        arguments: [
            ([:], []), (["LANG": "C.UTF-8"], []), (["LANG": "POSIX"], []), (["LANG": "de_DE.UTF-8@euro"], ["de-DE"]),
            (["LANGUAGE": "fr:en_GB", "LANG": "de"], ["fr", "en-GB"]), (["LC_ALL": "C", "LANG": "pt_BR"], ["pt-BR"]),
            (["LANG": "x\r\nEvil: 1"], []),
        ] as [([String: String], [String])]
    )
    func `languages come from the environment`(_ environment: [String: String], _ languages: [String]) {
        #expect(HTTPHeader.languages(in: environment) == languages)
    }

    @Test func `six languages are sent, of falling quality`() {
        let text = HTTPHeader.quality(of: ["a", "b", "c", "d", "e", "f", "g"])
        #expect(text == "a;q=1.0, b;q=0.9, c;q=0.8, d;q=0.7, e;q=0.6, f;q=0.5")
    }

    @Test func `a program's name is a token in the user agent`() {
        let system = OperatingSystemVersion(majorVersion: 6, minorVersion: 1, patchVersion: 2)
        let plain = HTTPHeader.userAgent(program: "my tool", version: nil, identifier: nil, build: nil, system: system)
        #expect(plain == "my-tool (Linux 6.1.2) Linchpin/1.0")
        let full = HTTPHeader.userAgent(program: "App", version: "2.1", identifier: "org.x", build: "7", system: system)
        #expect(full == "App/2.1 (org.x; build:7; Linux 6.1.2) Linchpin/1.0")
    }
}
