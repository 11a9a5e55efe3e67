// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Warnings are errors in our own code, on every build.
let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

typealias Dependency = Target.Dependency

/// A C library of the system: a module map and, where C needs it, a shim.
func system(_ name: String, pkgConfig: String? = nil, apt: String, brew: String) -> Target {
    .systemLibrary(
        name: name, path: "Shared/C/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([apt]), .brew([brew])])
}

/// A C++ library of the system behind a header of our own, since Swift here reads C only.
func cxx(_ name: String, links libraries: String...) -> Target {
    .target(
        name: name, path: "Shared/C/\(name)",
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// The README of a folder, which its target excludes.
func readme(in folder: String) -> [String] {
    let file = "\(Context.packageDirectory)/\(folder)/README.md"
    return FileManager.default.fileExists(atPath: file) ? ["README.md"] : []
}

/// A library that several services share, named after its folder in `Shared`.
func shared(
    _ folder: String, _ dependencies: [Dependency] = [], resources: [Resource] = []
) -> Target {
    let path = "Shared/\(folder)"
    return .target(
        name: URL(filePath: path).lastPathComponent, dependencies: dependencies, path: path,
        exclude: readme(in: path), resources: resources, swiftSettings: house)
}

/// Lua that runs in Redis, in the target's folder `Scripts`.
func scripts(_ names: String...) -> [Resource] {
    names.map { .embedInCode("Scripts/\($0).lua") }
}

/// Texts for people, a file for each language in the target's folder `Words`.
let words: [Resource] = ["en", "zh-Hant"].map { .embedInCode("Words/\($0).json") }

/// A service: a library, which the tool `openvalet` links, and an executable `openvalet-<service>` that runs it alone.
func service(
    _ name: String, executable: String? = nil, _ dependencies: [Dependency] = [],
    resources: [Resource] = []
) -> [Target] {
    [
        .target(
            name: name, dependencies: ["ServiceKit"] + dependencies, path: "Services/\(name)",
            exclude: ["Executable"] + readme(in: "Services/\(name)"), resources: resources,
            swiftSettings: house),
        .executableTarget(
            name: "openvalet-\(executable ?? name.lowercased())",
            dependencies: [.byName(name: name)],
            path: "Services/\(name)/Executable", swiftSettings: house),
    ]
}

/// Tests of the module of the same name, or of several.
func tests(_ name: String, _ dependencies: [Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["Support", "Answers"], path: "Tests/\(name)",
        resources: resources, swiftSettings: house)
}

let hummingbird: Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting: Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let httpClient: Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let nio: Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioSSL: Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let lifecycle: Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let log: Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Dependency = .product(name: "Metrics", package: "swift-metrics")
let context: Dependency = .product(name: "ServiceContextModule", package: "swift-service-context")
let configuration: Dependency = .product(name: "Configuration", package: "swift-configuration")
let grdb: Dependency = .product(name: "GRDB", package: "GRDB.swift")
let jwt: Dependency = .product(name: "JWTKit", package: "jwt-kit")
let crypto: Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let arguments: Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let subprocess: Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let deques: Dependency = .product(name: "DequeModule", package: "swift-collections")
let orderedCollections: Dependency = .product(
    name: "OrderedCollections", package: "swift-collections")
let mustache: Dependency = .product(name: "Mustache", package: "swift-mustache")
let yams: Dependency = .product(name: "Yams", package: "Yams")

/// Those that run as processes of the platform.
let services = [
    "Gateway", "Web", "Accounts", "Areas", "Places", "Orders", "Location", "Matching", "Plates",
    "Payments",
    "Ratings", "CarParks", "Spots", "Carpool", "Notifications",
    "Getalift",
]

let libraries: [Target] = [
    system("CRdKafka", pkgConfig: "rdkafka", apt: "librdkafka-dev", brew: "librdkafka"),
    system("CZlib", apt: "zlib1g-dev", brew: "zlib"),
    system("CHiredis", apt: "libhiredis-dev", brew: "hiredis"),
    system("CQRencode", apt: "libqrencode-dev", brew: "qrencode"),
    cxx("CPhoneNumber", links: "phonenumber", "protobuf"),
    system("CPostgres", pkgConfig: "libpq", apt: "libpq-dev", brew: "libpq"),

    shared("Geography/Geo"),
    shared("Geography/TripSearch", ["Geo"]),
    shared("API/Contracts", ["Geo"]),
    shared("Platform/Threads"),
    shared("Platform/Kafka", ["CRdKafka", "Threads"]),
    shared("Platform/Redis", ["CHiredis", "Threads", metrics]),
    shared("Platform/Store", ["CPostgres", "Threads", grdb, context, metrics]),
    shared(
        "Platform/EventBus",
        ["Contracts", "Kafka", "Store", lifecycle, log, metrics, context, crypto]),
    shared(
        "Platform/ServiceKit",
        [
            "Contracts", "Geo", "Kafka", "Redis", "Store", "EventBus", hummingbird, httpClient,
            nio, nioPosix, lifecycle, log, metrics, context, configuration, jwt, crypto,
            mustache,
        ], resources: words),
    shared(
        "Platform/ProductKit",
        ["Contracts", "Geo", "Store", "EventBus", "ServiceKit", hummingbird]),
    shared("API/Client", ["Contracts", "Geo", httpClient]),
    shared("Simulator", ["Client", "Geo", "Maps", "ServiceKit", "Threads"]),
    shared("Formats/Pictures", ["CQRencode", "CZlib"]),
    shared(
        "Platform/Blobs", ["Pictures", "EventBus", "ServiceKit", "Store", crypto, httpClient, nio]),
    shared("Formats/Gzipping", ["CZlib"]),
    shared("Formats/CSV"),
    shared("Geography/Transit", ["CSV", "Geo", "Gzipping"]),
    shared(
        "Geography/Maps", ["Gzipping", "Contracts", "Geo", "Store", "Threads", log],
        resources: [.copy("public-holidays.txt"), .copy("time-zones.bin")]),
    shared(
        "Geography/Routing", ["Contracts", "Geo", "Maps", "ServiceKit", httpClient, log, metrics]),
]

let programs: [[Target]] = [
    service(
        "Gateway", [deques, orderedCollections, metrics],
        resources: [.copy("Documents")] + scripts("rate")),
    service(
        "Web", ["Gzipping", "Maps", "Routing", crypto, mustache],
        resources: words + [.copy("Apps"), .embedInCode("app.mustache")]),
    service("Accounts", [cryptoExtras, "CPhoneNumber", "Pictures", "Blobs"], resources: words),
    service("Areas", resources: [.embedInCode("service-areas.geojson")]),
    service(
        "Places", ["CSV", "Maps", "ProductKit", "Routing", "Threads", "Transit", httpClient],
        resources: words
    ),
    service("Orders", ["Maps", "ProductKit", "Routing", "Threads"], resources: words),
    service(
        "Location", ["Routing"],
        resources: scripts(
            "person", "positions", "settle", "change", "erase", "search", "nameHome", "forget",
            "engagement", "keepArea", "releaseOutbox", "rewindOutbox")),
    service(
        "Matching", ["Routing", "Threads"],
        resources: scripts(
            "newer", "open", "forget", "begin", "end", "decide", "settle", "release")),
    service("Plates", ["Pictures", "Blobs", httpClient]),
    service("AlprStub", executable: "alpr-stub", ["Pictures", hummingbird, arguments]),
    service(
        "Payments", ["Blobs", "CSV", "Pictures", httpClient, crypto],
        resources: words + [
            .embedInCode("receipt.mustache"), .embedInCode("statement.mustache"),
        ]),
    service("Ratings", resources: words),
    service(
        "CarParks", ["Maps", "Pictures", "ProductKit", "Routing", "Blobs", crypto, httpClient],
        resources: words + [.embedInCode("ticket.mustache"), .embedInCode("car-parks.json")]),
    service("Spots", ["Maps", "ProductKit", "Routing", "Blobs", httpClient], resources: words),
    service(
        "Carpool", ["Gzipping", "Maps", "ProductKit", "Routing", "TripSearch"], resources: words),
    service("Notifications", [httpClient, crypto, nio, nioPosix, nioSSL], resources: words),
    service("Getalift", ["Client", crypto]),
    [
        .executableTarget(
            name: "OpenValet",
            dependencies: [
                "AlprStub", "Client", "Maps", "Routing", "ServiceKit", "Simulator", "Threads",
                "Transit", arguments, subprocess, yams,
            ] + services.map { .byName(name: $0) },
            path: "Services/OpenValet", exclude: readme(in: "Services/OpenValet"),
            resources: [.embedInCode("Map/tiles.lua")], swiftSettings: house)
    ],
]

let checks: [Target] = [
    .target(
        name: "Support",
        dependencies: ["ServiceKit", "Client", hummingbirdTesting],
        path: "Tests/Support", swiftSettings: house),
    .target(
        name: "Answers",
        dependencies: [
            "Contracts", "EventBus", "ServiceKit", "Store", "Support", hummingbirdTesting, nio,
        ],
        path: "Tests/Answers", swiftSettings: house),
    .target(
        name: "TripMaker", dependencies: ["TripSearch", "Geo"], path: "Tests/TripMaker",
        swiftSettings: house),
    .target(
        name: "AddressExam",
        dependencies: ["Contracts", "Geo", "Maps", "Support", "TripMaker"],
        path: "Tests/AddressExam", swiftSettings: house),
    tests("GeoTests", ["Geo"]),
    tests("TripSearchTests", ["Geo", "TripMaker", "TripSearch"]),
    tests("TransitTests", ["Geo", "Gzipping", "Transit", "TripMaker"]),
    tests(
        "ContractTests",
        [
            "Contracts", "Areas", "Places", "Orders", "Location", "Matching", "Plates",
            "Payments", "Ratings", "CarParks", "Spots", "Carpool",
            "Notifications", "Getalift",
        ], resources: [.copy("Fixtures")]),
    tests("ThreadsTests", ["Threads"]),
    tests("KafkaTests", ["Kafka"]),
    tests("RedisTests", ["Redis"]),
    tests("StoreTests", ["Store"]),
    tests("PicturesTests", ["Pictures"]),
    tests("BlobsTests", ["Blobs"]),
    tests("RoutingTests", ["Routing"]),
    tests("EventBusTests", ["EventBus"]),
    tests("ServiceKitTests", ["ServiceKit"], resources: [.copy("opening-hours.txt")]),
    tests("ClientTests", ["Client"]),
    tests("GatewayTests", ["Gateway"]),
    tests("WebTests", ["Web"]),
    tests("AccountsTests", ["Accounts"]),
    tests("AreasTests", ["Areas"]),
    tests("PlacesTests", ["Maps", "Places", "Transit"]),
    tests("OrdersTests", ["Areas", "Orders"]),
    tests("LocationTests", ["Location", "Orders"]),
    tests("MatchingTests", ["Matching"]),
    tests("PlatesTests", ["Plates", "Pictures", "AlprStub", "Orders"]),
    tests("AlprStubTests", ["AlprStub", "Pictures"]),
    tests("PaymentsTests", ["Payments", "CSV"]),
    tests("RatingsTests", ["Ratings", "Orders"]),
    tests("CarParksTests", ["CarParks", "Payments"]),
    tests("SpotsTests", ["Spots", "Payments"]),
    tests("CarpoolTests", ["Carpool", "Payments", "Transit"]),
    tests("NotificationsTests", ["Notifications"]),
    tests("GetaliftTests", ["Client", "Getalift"]),
    tests("OpenValetTests", ["Maps", "OpenValet", "Simulator", yams]),
    tests("SimulatorTests", ["Simulator"]),
    tests(
        "MapsTests",
        [
            "AddressExam", "Maps", "OpenValet", "Routing", "Store", "Transit", "TripMaker",
            "Web",
        ],
        resources: [.copy("Villages"), .copy("towns.tsv")]),
    tests(
        "TidyTests",
        services.map { .byName(name: $0) } + [yams]),
    tests(
        "ProductKitTests",
        ["Gateway", "Location", "Notifications", "OpenValet", "Payments", "ProductKit", "Ratings"]),
    tests("JourneyTests", ["AlprStub", "CSV", "Client", "OpenValet"]),
    .executableTarget(
        name: "Bench",
        dependencies: [
            "AddressExam", "CSV", "Client", "Geo", "Maps", "Store", "Support", "Transit",
            "TripMaker",
            "TripSearch",
            hummingbird, arguments,
        ],
        path: "Tests/Bench", swiftSettings: house),
]

let package = Package(
    name: "OpenValet",
    platforms: [.macOS(.v15), .iOS(.v18), .watchOS(.v11)],
    products: [
        .library(name: "OpenValetContracts", targets: ["Contracts"]),
        .library(name: "OpenValetClient", targets: ["Client"]),
        .executable(name: "openvalet", targets: ["OpenValet"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-service-context", exact: "1.5.1"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: libraries + programs.flatMap(\.self) + checks
)
