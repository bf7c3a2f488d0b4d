import HTTPMessages
import Logging
import TimeclockDomain

/// A line in the log for each request.
///
/// Lines hold no text that a client chose, not even the path, so that no secret and no escape code of a request can get
/// into a log. A trusted proxy may name a request with a word (`RequestNames`).
struct RequestLog: Sendable {
  let logger: Logger
  /// The logger's level. It never changes, and every request needs it.
  private let level: Logger.Level

  init(logger: Logger) {
    self.logger = logger
    level = logger.logLevel
  }

  /// The source of every line. Without it, swift-log would cut the source out of the file's name for each line.
  private static let source = "TimeclockAPI"

  /// The facts about a request that are known so far.
  struct Record {
    let id: RequestID
    let names: RequestNames
    let method: HTTPMethod
    let remoteAddress: String?
    let start: ContinuousClock.Instant
    var operation: Operation?
    var membership: Membership?
    /// The requests that the caller's rate limit leaves; nil if the request did not count.
    var allowance: RateLimitAllowance?
  }

  /// Notes the start of a request.
  func begin(_ request: HTTPRequest, id: RequestID, names: RequestNames) -> Record {
    Record(
      id: id, names: names, method: request.method, remoteAddress: request.remoteAddress, start: .now)
  }

  /// Writes the line of a request that was answered. Health checks come every few seconds, and are written at the level
  /// `debug`.
  func end(_ record: Record, _ status: HTTPStatus) {
    let isHealthCheck = record.operation?.isHealthCheck ?? false
    let lineLevel: Logger.Level = isHealthCheck && status == .ok ? .debug : .info
    guard lineLevel >= level else { return }
    logger.log(level: lineLevel, Logger.Message(stringLiteral: line(record, status)), source: Self.source)
  }

  /// Writes the line of bytes that were not a request.
  func note(_ rejection: HTTPRequestRejection, id: RequestID, from remoteAddress: String?) {
    let origin = remoteAddress.map { " from=\($0)" } ?? ""
    logger.info("request refused status=\(rejection.status.code) code=\(rejection.code) id=\(id)\(origin)")
  }

  /// Logs an error that no client may see.
  ///
  /// - Returns: The request's id, by which the error is found in the log.
  func failure(_ error: any Error, _ record: Record) -> String {
    logger.error(
      "request failed id=\(record.id) operation=\(record.operation?.id ?? "-") error=\(String(reflecting: error))"
    )
    return record.id.text
  }

  private func line(_ record: Record, _ status: HTTPStatus) -> String {
    let elapsed = (ContinuousClock.now - record.start).components
    let microseconds = elapsed.seconds * 1_000_000 + elapsed.attoseconds / 1_000_000_000_000
    var line: [UInt8] = []
    line.reserveCapacity(256)
    line.append("request operation=")
    Self.append(record.operation?.id ?? "-", to: &line)
    line.append(" method=")
    Self.append(Self.name(of: record.method), to: &line)
    line.append(" status=")
    line.appendDecimal(status.code)
    line.append(" microseconds=")
    line.appendDecimal(Int(microseconds))
    line.append(" id=")
    record.id.append(to: &line)
    if let name = record.names.given {
      line.append(" request=")
      Self.append(name, to: &line)
    }
    if let trace = record.names.trace {
      line.append(" trace=")
      Self.append(trace, to: &line)
    }
    if let remoteAddress = record.remoteAddress {
      line.append(" from=")
      Self.append(remoteAddress, to: &line)
    }
    if let membership = record.membership {
      line.append(" organization=")
      membership.organizationID.append(to: &line)
      line.append(" user=")
      membership.userID.append(to: &line)
    }
    return String(decoding: line, as: UTF8.self)
  }

  private static func append(_ text: String, to line: inout [UInt8]) {
    var text = text
    text.withUTF8 { line.append(contentsOf: $0) }
  }

  /// A method that the service does not know is a word of the client's choice.
  private static func name(of method: HTTPMethod) -> String {
    if case .other = method { "other" } else { method.name }
  }
}
