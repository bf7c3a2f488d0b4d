import ArgumentParser
import SocketHTTPServer

/// The options for the times that the server waits for a client, and for its own stop.
struct TimeoutOptions: ParsableArguments {
  @Option(.headTimeout) var headTimeout: Int?
  @Option(.bodyTimeout) var bodyTimeout: Int?
  @Option(.writeTimeout) var writeTimeout: Int?
  @Option(.idleTimeout) var idleTimeout: Int?
  @Option(.shutdownTimeout) var shutdownTimeout: Int?

  /// - Throws: `CommandError` for a number out of its range.
  func apply(to timeouts: inout HTTPServerTimeouts) throws {
    func set(
      _ keyPath: WritableKeyPath<HTTPServerTimeouts, Duration>, _ setting: Setting, _ flag: Int?
    ) throws {
      timeouts[keyPath: keyPath] = .seconds(try setting.number(flag))
    }
    try set(\.head, .headTimeout, headTimeout)
    try set(\.body, .bodyTimeout, bodyTimeout)
    try set(\.write, .writeTimeout, writeTimeout)
    try set(\.idle, .idleTimeout, idleTimeout)
    try set(\.shutdown, .shutdownTimeout, shutdownTimeout)
  }
}
