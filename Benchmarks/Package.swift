// swift-tools-version: 6.2
import PackageDescription

/// Measurements, apart from the package so that nobody who uses it builds them: `swift run -c release lookup-bench`.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Linchpin", path: "..")],
    targets: [
        .executableTarget(
            name: "lookup-bench",
            dependencies: [.product(name: "LinchpinTrust", package: "Linchpin")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        )
    ]
)
