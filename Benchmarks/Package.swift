// swift-tools-version: 6.2
import PackageDescription

/// Measurements, apart from the package so that nobody who uses it builds them: see README.md.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Linchpin", path: "..")],
    targets: [
        .executableTarget(
            name: "lookup-bench",
            dependencies: [.product(name: "LinchpinTrust", package: "Linchpin")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        // The work of path-bench by OpenSSL alone.
        .target(name: "CBaseline", linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "path-bench",
            dependencies: [
                "CBaseline", .product(name: "LinchpinTrust", package: "Linchpin"),
                .product(name: "LinchpinTesting", package: "Linchpin"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .executableTarget(
            name: "provider-bench",
            dependencies: [.product(name: "Linchpin", package: "Linchpin")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        // The work of session-bench by libcurl alone, and a server that holds its answers.
        .target(name: "CCallgrind"),
        .executableTarget(name: "floor-bench", dependencies: ["CCallgrind"], linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(name: "hold-server"),
        .executableTarget(
            name: "session-bench",
            dependencies: [
                "CCallgrind", .product(name: "Linchpin", package: "Linchpin"),
                .product(name: "LinchpinTesting", package: "Linchpin"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)],
            linkerSettings: [
                .unsafeFlags([
                    // Without debugging information, which valgrind cannot read.
                    "-Xlinker", "-S",
                    // 2 MB of relocations, which the loader reads at the start, take 30 KB so.
                    "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
                ])
            ]
        ),
    ]
)
