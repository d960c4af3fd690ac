// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MoyaStyle",
    dependencies: [
        .package(name: "Linchpin", path: "../.."),
        .package(name: "Compat", path: "../../Compat"),
    ],
    targets: [
        .executableTarget(
            name: "MoyaStyle",
            dependencies: [
                .product(name: "Moya", package: "Compat"),
                .product(name: "LinchpinTesting", package: "Linchpin"),
            ],
            // In the mode that such code is in.
            swiftSettings: [.swiftLanguageMode(.v5)]
        )
    ]
)
