import ArgumentParser

/// The options that say where the server listens.
struct ListenOptions: ParsableArguments {
  @Option(.host) var host: String?
  @Option(.port) var port: UInt16?

  func resolvedHost() throws -> String { try Setting.host.value(host) }

  func resolvedPort() throws -> UInt16 { try Setting.port.value(port) }
}
