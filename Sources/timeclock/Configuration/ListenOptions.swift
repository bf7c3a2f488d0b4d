import ArgumentParser

/// The options that say where the server listens.
struct ListenOptions: ParsableArguments {
  @Option(help: "The address to listen on, or to ask. (default: 127.0.0.1; TIMECLOCK_HOST)")
  var host: String?

  @Option(help: "The port, or 0 for any that is free. (default: 8080; TIMECLOCK_PORT)")
  var port: UInt16?

  func resolvedHost() throws -> String {
    try Setting.value(host, "TIMECLOCK_HOST", default: "127.0.0.1")
  }

  func resolvedPort() throws -> UInt16 {
    try Setting.value(port, "TIMECLOCK_PORT", default: 8080)
  }
}
