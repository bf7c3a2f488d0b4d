// swift-tools-version: 6.2
import PackageDescription

// A time clock as one writes it with a framework: Hummingbird 2 and GRDB. A yardstick of ../compare.py; nothing else uses it.
let package = Package(
  name: "reference",
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "reference",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "GRDB", package: "GRDB.swift"),
      ])
  ]
)
