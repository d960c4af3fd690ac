// swift-tools-version: 6.2
import PackageDescription

/// Measurements, apart from the package so that nobody who uses it builds them: `swift run -c release lookup-bench`, or `path-bench`.
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
    ]
)
