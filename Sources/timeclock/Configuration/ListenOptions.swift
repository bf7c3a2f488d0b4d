import ArgumentParser

/// The options for the address that the server listens on.
struct ListenOptions: ParsableArguments {
  @Option(.host) var host: String?
  @Option(.port) var port: UInt16?

  func resolvedHost() throws -> String { try Setting.host.value(host) }

  func resolvedPort() throws -> UInt16 { try Setting.port.value(port) }
}
