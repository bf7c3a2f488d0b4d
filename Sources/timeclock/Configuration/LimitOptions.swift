import ArgumentParser
import HTTPMessages
import SocketHTTPServer

/// The options that say how many clients the server takes, and how much of each.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Connections open at once; further ones wait. (default: 10000; TIMECLOCK_MAX_CONNECTIONS)",
      valueName: "number"))
  var maxConnections: Int?

  @Option(
    help: ArgumentHelp(
      """
      Connections that one address, or one IPv6 /64, has open at once; further ones are refused. Those of this \
      machine do not count. (default: 1000; TIMECLOCK_MAX_CONNECTIONS_PER_ADDRESS)
      """, valueName: "number"))
  var maxConnectionsPerAddress: Int?

  @Option(
    help: ArgumentHelp(
      "Bytes of a request line, or 414. (default: 8192; TIMECLOCK_MAX_REQUEST_LINE)", valueName: "bytes"))
  var maxRequestLine: Int?

  @Option(
    help: ArgumentHelp(
      "Bytes of a request's head, its request line included, or 431. (default: 32768; TIMECLOCK_MAX_HEAD)",
      valueName: "bytes"))
  var maxHead: Int?

  @Option(
    help: ArgumentHelp(
      "Header fields of a request, or 431. (default: 100; TIMECLOCK_MAX_FIELDS)", valueName: "number"))
  var maxFields: Int?

  @Option(
    help: ArgumentHelp(
      "Bytes of a request's body, or 413. (default: 262144; TIMECLOCK_MAX_BODY)", valueName: "bytes"))
  var maxBody: Int?

  @Option(
    help: ArgumentHelp(
      """
      Bytes of the bodies that each event loop holds at once, or 503. \
      (default: 33554432; TIMECLOCK_MAX_BUFFERED_BODIES)
      """, valueName: "bytes"))
  var maxBufferedBodies: Int?

  /// - Throws: `CommandError` for a number out of its range, or one that another one makes useless.
  func apply(to configuration: inout HTTPServerConfiguration) throws {
    func set(
      _ keyPath: WritableKeyPath<HTTPServerConfiguration, Int>, _ flag: Int?, _ variable: String,
      in range: ClosedRange<Int>, _ unit: String = ""
    ) throws {
      configuration[keyPath: keyPath] = try Setting.number(
        flag, variable, in: range, unit, default: configuration[keyPath: keyPath])
    }
    try set(\.connectionLimit, maxConnections, "TIMECLOCK_MAX_CONNECTIONS", in: 1...1_000_000)
    try set(
      \.addressConnectionLimit, maxConnectionsPerAddress, "TIMECLOCK_MAX_CONNECTIONS_PER_ADDRESS",
      in: 1...1_000_000)
    let head = 1_024...1_048_576
    try set(\.limits.requestLineByteCount, maxRequestLine, "TIMECLOCK_MAX_REQUEST_LINE", in: head, " bytes")
    try set(\.limits.headByteCount, maxHead, "TIMECLOCK_MAX_HEAD", in: head, " bytes")
    try set(\.limits.fieldCount, maxFields, "TIMECLOCK_MAX_FIELDS", in: 10...1_000)
    try set(\.limits.bodyByteCount, maxBody, "TIMECLOCK_MAX_BODY", in: 1_024...67_108_864, " bytes")
    try set(
      \.bufferedContentByteCount, maxBufferedBodies, "TIMECLOCK_MAX_BUFFERED_BODIES",
      in: 1_048_576...17_179_869_184, " bytes")
    // The request line with its CR LF, and the empty line, are part of the head.
    guard configuration.limits.headByteCount >= configuration.limits.requestLineByteCount + 4 else {
      throw CommandError("--max-head must be more than --max-request-line, which is a part of it.")
    }
    guard configuration.bufferedContentByteCount >= configuration.limits.bodyByteCount else {
      throw CommandError("--max-buffered-bodies must not be less than --max-body.")
    }
  }
}
