internal import Foundation

extension HTTPHeader {
    /// `Accept-Language` with the languages of `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` or `LANG`, the first of them that
    /// names one; else with those of Foundation's locale. At most six, of falling quality, such as
    /// `de-DE;q=1.0, en;q=0.9`.
    public static let defaultAcceptLanguage: HTTPHeader = {
        let environment = languages(in: ProcessInfo.processInfo.environment)
        return .acceptLanguage(quality(of: environment.isEmpty ? Locale.preferredLanguages : environment))
    }()

    /// `User-Agent` with the program, the system and this package, such as `tool (Linux 6.1.0) Linchpin/1.0`; of a
    /// program with an `Info.plist` also the versions and the identifier in it, such as
    /// `App/2.1 (org.example.app; build:7; Linux 6.1.0) Linchpin/1.0`.
    public static let defaultUserAgent: HTTPHeader = {
        let info = Bundle.main.infoDictionary ?? [:]
        return .userAgent(
            userAgent(
                program: info["CFBundleExecutable"] as? String ?? ProcessInfo.processInfo.processName,
                version: info["CFBundleShortVersionString"] as? String,
                identifier: info["CFBundleIdentifier"] as? String,
                build: info["CFBundleVersion"] as? String,
                system: ProcessInfo.processInfo.operatingSystemVersion
            )
        )
    }()

    /// The languages that the environment names, as gettext(3) reads it, in BCP 47's spelling.
    static func languages(in environment: [String: String]) -> [String] {
        for name in ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"] {
            let languages = environment[name, default: ""].split(separator: ":").compactMap { locale -> String? in
                let language = String(locale.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
                return language.isToken && !["C", "POSIX"].contains(language) ? language : nil
            }
            if !languages.isEmpty { return languages }
        }
        return []
    }

    static func quality(of languages: [String]) -> String {
        languages.prefix(6).enumerated().map { "\($0.element);q=\(Double(10 - $0.offset) / 10)" }
            .joined(separator: ", ")
    }

    static func userAgent(
        program: String,
        version: String?,
        identifier: String?,
        build: String?,
        system: OperatingSystemVersion
    ) -> String {
        // The program's name may have any character; a product is a token (RFC 9110 §10.1.5).
        let name = program.map { "\($0)".isToken ? $0 : "-" }
        let product = String(name) + (version.map { "/\($0)" } ?? "")
        let release = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        let comment = [identifier, build.map { "build:\($0)" }, "Linux \(release)"].compactMap(\.self)
        return "\(product) (\(comment.joined(separator: "; "))) Linchpin/1.0"
    }
}
