// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target of this package is compiled with.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Linchpin",
    products: [
        .library(name: "Linchpin", targets: ["Linchpin"]),
        .library(name: "LinchpinTrust", targets: ["LinchpinTrust"]),
        .library(name: "LinchpinSession", targets: ["LinchpinSession"]),
        .library(name: "LinchpinProvider", targets: ["LinchpinProvider"]),
        .library(name: "LinchpinFoundation", targets: ["LinchpinFoundation"]),
        .library(name: "LinchpinPolicyImport", targets: ["LinchpinPolicyImport"]),
        .library(name: "LinchpinTesting", targets: ["LinchpinTesting"]),
        .executable(name: "linchpin", targets: ["linchpin"]),
    ],
    targets: [
        // libcurl, built on OpenSSL: HTTP, proxies, cookies, DNS.
        .systemLibrary(name: "CLibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // OpenSSL: all cryptography, X.509 and TLS.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        // What Swift cannot call: variadic functions and macros.
        .target(name: "CLinchpin", dependencies: ["CLibcurl", "COpenSSL"]),

        .target(name: "LinchpinTrust", dependencies: ["COpenSSL", "CLinchpin"], swiftSettings: settings),
        .target(
            name: "LinchpinSession",
            dependencies: ["LinchpinTrust", "CLibcurl", "CLinchpin"],
            swiftSettings: settings
        ),
        .target(name: "LinchpinProvider", dependencies: ["LinchpinSession"], swiftSettings: settings),
        .target(
            name: "LinchpinFoundation",
            dependencies: ["LinchpinSession", "LinchpinTrust"],
            swiftSettings: settings
        ),
        // Apart from the trust, since reading XML brings libxml2 and ICU into every program that links it.
        .target(name: "LinchpinPolicyImport", dependencies: ["LinchpinTrust"], swiftSettings: settings),
        .target(
            name: "LinchpinTesting",
            dependencies: ["LinchpinTrust", "COpenSSL", "CLinchpin"],
            swiftSettings: settings
        ),
        .target(
            name: "Linchpin",
            dependencies: ["LinchpinTrust", "LinchpinSession", "LinchpinProvider"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "linchpin",
            dependencies: ["Linchpin", "LinchpinPolicyImport", "LinchpinTesting", "LinchpinTrust"],
            swiftSettings: settings
        ),

        // Real peers and other help for the tests; not part of any product.
        .target(
            name: "LinchpinTestSupport",
            dependencies: ["CLinchpinTestSupport", "LinchpinTesting", "LinchpinTrust"],
            path: "Tests/Support",
            swiftSettings: settings
        ),
        // What the thread sanitizer cannot see by itself.
        .target(name: "CLinchpinTestSupport", path: "Tests/CSupport"),
        .testTarget(
            name: "LinchpinTestSupportTests",
            dependencies: ["LinchpinTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LinchpinTrustTests",
            // OpenSSL is the other end of handshakes in memory.
            dependencies: [
                "LinchpinTrust", "LinchpinPolicyImport", "LinchpinTesting", "LinchpinTestSupport", "COpenSSL",
                "CLinchpin",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LinchpinTestingTests",
            // The tool is run by the tests of its `certs`.
            dependencies: ["LinchpinTesting", "LinchpinTrust", "linchpin"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LinchpinSessionTests",
            // Clients that drive libcurl themselves.
            dependencies: [
                "LinchpinSession", "LinchpinTrust", "LinchpinTesting", "LinchpinTestSupport", "CLibcurl", "CLinchpin",
                "COpenSSL",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LinchpinProviderTests",
            dependencies: [
                "LinchpinProvider", "LinchpinSession", "LinchpinTrust", "LinchpinTesting", "LinchpinTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LinchpinFoundationTests",
            dependencies: [
                "LinchpinFoundation", "LinchpinSession", "LinchpinTrust", "LinchpinTesting", "LinchpinTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LinchpinCommandTests",
            dependencies: ["LinchpinTestSupport", "LinchpinTesting", "LinchpinTrust", "linchpin"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LinchpinReadmeTests",
            dependencies: ["Linchpin", "LinchpinTesting"],
            swiftSettings: settings
        ),
    ]
)
