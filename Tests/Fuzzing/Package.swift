// swift-tools-version: 6.2
import PackageDescription

// The readers of text from outside, built apart from the service: with libFuzzer's coverage and AddressSanitizer, and
// without the packages that the service needs, so that it is soon built. The folders and files in Sources are the
// service's own, by symbolic links; being targets of one package they see each other's `package` declarations.
// scripts/fuzz builds it, and knows where libFuzzer is.
let package = Package(
  name: "timeclock-fuzzing",
  products: [
    .executable(name: "timeclock-fuzzing", targets: ["Fuzzing"])
  ],
  targets: [
    .target(name: "TimeclockDomain"),
    .target(name: "ImportFiles", dependencies: ["TimeclockDomain"]),
    .target(name: "HTTPMessages"),
    .target(name: "WebSocketMessages", dependencies: ["HTTPMessages"]),
    .target(name: "SocketIO"),
    // The parts that read and write text; the others need packages that are not here.
    .target(name: "TimeclockAPI", dependencies: ["TimeclockDomain", "ImportFiles", "HTTPMessages"]),
    .systemLibrary(name: "CLibFuzzer"),
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "TimeclockDomain", "ImportFiles", "HTTPMessages", "WebSocketMessages", "SocketIO", "TimeclockAPI",
        "CLibFuzzer",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .unsafeFlags([
      "-enable-testing", "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table",
    ]),
  ]
}
