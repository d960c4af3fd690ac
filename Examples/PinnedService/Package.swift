// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "PinnedService",
    dependencies: [.package(name: "Linchpin", path: "../..")],
    targets: [
        .executableTarget(
            name: "pinned-service",
            dependencies: [
                .product(name: "Linchpin", package: "Linchpin"),
                .product(name: "LinchpinTesting", package: "Linchpin"),
            ],
            path: "Sources/PinnedService"
        )
    ]
)
