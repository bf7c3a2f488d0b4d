// swift-tools-version: 6.2
import PackageDescription

// The walls between modules are targets, so that the compiler keeps them: see docs/architecture.md.
let package = Package(
  name: "timeclock",
  products: [
    .executable(name: "timeclock", targets: ["timeclock"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // What the service is about; knows no storage, no HTTP.
    .target(name: "TimeclockDomain"),

    // Files that other services export, as rows to import.
    .target(name: "ImportFiles", dependencies: ["TimeclockDomain"]),

    // The public holidays of countries and their parts. scripts/list-holidays writes their file, which C embeds as the
    // contract below.
    .target(name: "CHolidayPresets", exclude: ["holidays.txt"]),
    .target(name: "HolidayPresets", dependencies: ["TimeclockDomain", "CHolidayPresets"]),

    // HTTP/1.1 as values and bytes, and the server that moves them over POSIX sockets.
    .target(name: "HTTPMessages"),
    .target(name: "WebSocketMessages", dependencies: ["HTTPMessages"]),
    // Engine.IO and Socket.IO, without input and output.
    .target(name: "SocketIO"),
    .target(name: "CLinux"),
    .target(name: "Threads", dependencies: ["CLinux"]),
    .target(name: "EventLoops", dependencies: ["CLinux"]),

    // Messages to other programs and to phones. libcurl is loaded when the first is sent.
    .target(name: "CCurl"),
    .target(
      name: "Delivery",
      dependencies: ["TimeclockDomain", "HTTPMessages", "Threads", "CCurl", "Cryptography"]),

    // Counters and histograms, and their text for Prometheus.
    .target(name: "Metrics", dependencies: ["CLinux"]),
    .target(name: "SocketHTTPServer", dependencies: ["HTTPMessages", "EventLoops", "CLinux", "Threads"]),

    // What is hashed, sealed and signed, by OpenSSL 3's libcrypto, which libpq brings along.
    .systemLibrary(
      name: "CCrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Cryptography", dependencies: ["CCrypto"]),

    // Tokens and passwords.
    .target(
      name: "Credentials",
      dependencies: ["TimeclockDomain", "Threads", "Cryptography"],
      resources: [.embedInCode("Passwords/common_passwords.txt")]),

    // openapi.yaml, in the binary. C embeds a file at once (#embed), where a Swift array of as many bytes takes the compiler
    // minutes.
    .target(name: "CContract", exclude: ["openapi.yaml"]),

    // The page that people use, in the binary in the same way; scripts/list-web-files lists its files.
    .target(name: "CWebPage"),
    .systemLibrary(
      name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "WebPage",
      dependencies: ["CWebPage", "CZlib", "Cryptography"],
      exclude: ["web"]),

    // The operations of openapi.yaml.
    .target(
      name: "TimeclockAPI",
      dependencies: [
        "TimeclockDomain", "Procedures", "ImportFiles", "HolidayPresets", "HTTPMessages", "WebSocketMessages",
        "SocketIO",
        "Credentials",
        "EventLoops", "Metrics", "Threads", "CContract", "WebPage", "Cryptography",
        .product(name: "Logging", package: "swift-log"),
      ]),

    // Storages.
    .target(name: "CSchemaMigrations"),
    .target(
      name: "SchemaMigrations", dependencies: ["CSchemaMigrations"], path: "sql",
      exclude: ["README.md", "reporting", "migrations"]),
    // How changes are written down, and sealed.
    .target(name: "ChangeLog", dependencies: ["TimeclockDomain", "Cryptography"]),

    // The actions of the service, by noun: rules, and the tables and transactions that both storages run.
    .target(name: "Procedures", dependencies: ["TimeclockDomain", "ChangeLog"]),

    // Moving data from one storage to another.
    .target(name: "DatabaseCopy", dependencies: ["TimeclockDomain", "Procedures", "Cryptography"]),
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    // How the write-ahead log gets into its file.
    .target(name: "CLogWriting", dependencies: ["CSQLite"]),
    .target(
      name: "SQLiteStorage",
      dependencies: [
        "TimeclockDomain", "ChangeLog", "DatabaseCopy", "Procedures", "SchemaMigrations", "CSQLite",
        "CLogWriting", "Threads", "Metrics", "CLinux", "Cryptography",
      ]),

    .systemLibrary(
      name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "PostgreSQLStorage",
      dependencies: [
        "TimeclockDomain", "ChangeLog", "DatabaseCopy", "Procedures", "SchemaMigrations", "CPostgreSQL",
        "EventLoops", "Threads", "Metrics", "Cryptography",
      ]),

    .executableTarget(
      name: "timeclock",
      dependencies: [
        "TimeclockDomain", "Procedures", "ImportFiles", "HTTPMessages", "SocketHTTPServer", "TimeclockAPI",
        "Credentials",
        "ChangeLog", "SQLiteStorage", "PostgreSQLStorage", "DatabaseCopy", "Threads", "EventLoops", "Metrics",
        "CLinux", "Delivery",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),

    .testTarget(
      name: "timeclockTests",
      dependencies: [
        "timeclock", "Procedures", "SocketHTTPServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),

    .testTarget(name: "SocketIOTests", dependencies: ["SocketIO"]),
    .testTarget(
      name: "DeliveryTests",
      dependencies: ["Delivery", "TimeclockDomain", "HTTPMessages", "P256Verification"]),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
    .testTarget(name: "WebPageTests", dependencies: ["WebPage", "CZlib"]),
    .testTarget(name: "MetricsTests", dependencies: ["Metrics", "Threads"]),
    .testTarget(name: "TimeclockDomainTests", dependencies: ["TimeclockDomain", "StorageCalls"]),
    .testTarget(
      name: "ImportFilesTests", dependencies: ["ImportFiles", "TimeclockDomain"], exclude: ["Samples"]),
    .testTarget(name: "HolidayPresetsTests", dependencies: ["HolidayPresets", "TimeclockDomain"]),
    .testTarget(name: "ProceduresTests", dependencies: ["Procedures", "TimeclockDomain", "StorageCalls"]),
    .testTarget(name: "CredentialsTests", dependencies: ["Credentials", "Cryptography", "TimeclockDomain"]),
    // Verifies what the service signs.
    .target(name: "P256Verification", dependencies: ["CCrypto"], path: "Tests/P256Verification"),
    .testTarget(name: "CryptographyTests", dependencies: ["Cryptography", "P256Verification"]),
    .testTarget(
      name: "TimeclockAPITests",
      dependencies: [
        "TimeclockAPI", "HTTPMessages", "TimeclockDomain", "Procedures", "WebPage", "StorageCalls",
        .product(name: "Yams", package: "Yams"),
      ]),

    // openapi.yaml, and values judged by it. Always optimized: the tests judge some hundred thousand answers.
    .target(
      name: "ContractDocument", dependencies: [.product(name: "Yams", package: "Yams")],
      path: "Tests/ContractDocument", swiftSettings: [.unsafeFlags(["-O"])]),

    // openapi.yaml against the service, on each storage, in process and over a socket.
    .testTarget(
      name: "ContractTests",
      dependencies: [
        "ContractDocument", "TimeclockDomain", "Procedures", "HTTPMessages", "SocketHTTPServer",
        "TimeclockAPI",
        "Credentials", "SQLiteStorage", "PostgreSQLStorage", "PostgreSQLTestCluster", "SQLiteTestFile",
        "StorageCalls", "EventLoops",
        "Threads",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Yams", package: "Yams"),
      ]),
    .testTarget(name: "HTTPMessagesTests", dependencies: ["HTTPMessages"]),
    .testTarget(
      name: "WebSocketMessagesTests",
      dependencies: ["WebSocketMessages", "HTTPMessages", "Cryptography"]),
    .testTarget(
      name: "SocketHTTPServerTests",
      dependencies: ["SocketHTTPServer", "EventLoops", "HTTPMessages", "Threads"]),

    // A real PostgreSQL for tests.
    .target(
      name: "PostgreSQLTestCluster", dependencies: ["CPostgreSQL"], path: "Tests/PostgreSQLTestCluster"),

    // Every method of the storage protocol, called and handed on.
    .target(
      name: "StorageCalls", dependencies: ["TimeclockDomain", "Procedures"], path: "Tests/StorageCalls"),

    // An empty database, made once for a process.
    .target(name: "SQLiteTestFile", dependencies: ["SQLiteStorage"], path: "Tests/SQLiteTestFile"),

    // What any storage must do, and what this one does besides.
    .testTarget(
      name: "StorageConformanceTests",
      dependencies: [
        "TimeclockDomain", "ChangeLog", "Procedures", "SQLiteStorage", "PostgreSQLStorage",
        "PostgreSQLTestCluster", "SQLiteTestFile", "StorageCalls",
      ],
      exclude: ["README.md"]),
    .testTarget(
      name: "PostgreSQLStorageTests",
      dependencies: [
        "TimeclockDomain", "PostgreSQLStorage", "PostgreSQLTestCluster", "Procedures", "SchemaMigrations",
        "StorageCalls",
      ]),
    .testTarget(
      name: "DatabaseCopyTests",
      dependencies: [
        "TimeclockDomain", "DatabaseCopy", "Procedures", "SQLiteStorage", "PostgreSQLStorage",
        "PostgreSQLTestCluster", "SchemaMigrations", "StorageCalls", "CSQLite",
      ]),
    .testTarget(
      name: "SQLiteStorageTests",
      dependencies: [
        "TimeclockDomain", "Procedures", "SQLiteStorage", "SchemaMigrations", "CSQLite", "StorageCalls",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// An async function continues where its caller runs, so a request never leaves the event loop that owns its connection
// without an explicit switch.
for target in package.targets where target.type == .regular || target.type == .executable {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("NonisolatedNonsendingByDefault")
    ]
}
