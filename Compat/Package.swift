// swift-tools-version: 6.2
import PackageDescription

/// What every target of this package is compiled with.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Apart from Linchpin's own package, since a graph that also holds the real Moya and Alamofire would clash on the names.
let package = Package(
    name: "Compat",
    products: [
        .library(name: "Alamofire", targets: ["Alamofire"]),
        .library(name: "Moya", targets: ["Moya"]),
    ],
    dependencies: [.package(name: "Linchpin", path: "..")],
    targets: [
        .target(
            name: "Alamofire",
            dependencies: [
                .product(name: "LinchpinSession", package: "Linchpin"),
                .product(name: "LinchpinTrust", package: "Linchpin"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Moya",
            dependencies: ["Alamofire", .product(name: "LinchpinProvider", package: "Linchpin")],
            swiftSettings: settings
        ),
        // In the mode that code written for the two is in.
        .testTarget(
            name: "CompatTests",
            dependencies: ["Alamofire", "Moya", .product(name: "LinchpinTesting", package: "Linchpin")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
    ]
)
