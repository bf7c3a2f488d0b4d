import ArgumentParser
import HTTPMessages
import SocketHTTPServer
import TimeclockAPI

/// The options for the number of clients that the server takes, and for the amount that it takes of each.
struct LimitOptions: ParsableArguments {
  @Option(.maxConnections) var maxConnections: Int?
  @Option(.maxConnectionsPerAddress) var maxConnectionsPerAddress: Int?
  @Option(.maxRequestLine) var maxRequestLine: Int?
  @Option(.maxHead) var maxHead: Int?
  @Option(.maxFields) var maxFields: Int?
  @Option(.maxBody) var maxBody: Int?
  @Option(.maxBufferedBodies) var maxBufferedBodies: Int?

  /// - Throws: `CommandError` for a number out of its range, or one that another number makes useless.
  func apply(to configuration: inout HTTPServerConfiguration) throws {
    func set(
      _ keyPath: WritableKeyPath<HTTPServerConfiguration, Int>, _ setting: Setting, _ flag: Int?
    ) throws {
      configuration[keyPath: keyPath] = try setting.number(flag)
    }
    try set(\.connectionLimit, .maxConnections, maxConnections)
    try set(\.addressConnectionLimit, .maxConnectionsPerAddress, maxConnectionsPerAddress)
    try set(\.limits.requestLineByteCount, .maxRequestLine, maxRequestLine)
    try set(\.limits.headByteCount, .maxHead, maxHead)
    try set(\.limits.fieldCount, .maxFields, maxFields)
    try set(\.limits.bodyByteCount, .maxBody, maxBody)
    try set(\.bufferedContentByteCount, .maxBufferedBodies, maxBufferedBodies)
    // The head includes the request line with its CR LF, and the empty line.
    guard configuration.limits.headByteCount >= configuration.limits.requestLineByteCount + 4 else {
      throw CommandError(usage: "--max-head must be more than --max-request-line, which is a part of it.")
    }
    guard configuration.bufferedContentByteCount >= configuration.limits.bodyByteCount else {
      throw CommandError(usage: "--max-buffered-bodies must not be less than --max-body.")
    }
    configuration.limits.longBodies = TimeclockAPI.longBodies
  }
}
