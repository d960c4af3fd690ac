// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "URLSessionDropIn",
    dependencies: [.package(name: "Linchpin", path: "../..")],
    targets: [
        .executableTarget(
            name: "URLSessionDropIn",
            dependencies: [
                .product(name: "Linchpin", package: "Linchpin"),
                .product(name: "LinchpinFoundation", package: "Linchpin"),
                .product(name: "LinchpinTesting", package: "Linchpin"),
            ]
        )
    ]
)
