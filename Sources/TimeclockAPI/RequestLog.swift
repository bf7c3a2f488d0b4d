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

  /// Whether the facts of a line are handed to the logger as fields with names, or as the text of the line.
  private let logsFields: Bool

  /// Counts the requests; nil if nobody asks for the numbers.
  private let metrics: RequestMetrics?

  init(logger: Logger, logsFields: Bool, metrics: RequestMetrics?) {
    self.logger = logger
    self.metrics = metrics
    self.logsFields = logsFields
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

  /// Counts a request that was answered, and writes its line. Health checks come every few seconds, and are written at the level
  /// `debug`.
  func end(_ record: Record, _ status: HTTPStatus) {
    let isHealthCheck = record.operation?.isHealthCheck ?? false
    let lineLevel: Logger.Level = isHealthCheck && status == .ok ? .debug : .info
    let isLogged = lineLevel >= level
    guard isLogged || metrics != nil else { return }
    let time = ContinuousClock.now - record.start
    metrics?.count(record.operation, status, after: time)
    guard isLogged else { return }
    if logsFields {
      var fields = LogMetadata()
      Self.add(record, status, time, to: &fields)
      logger.log(level: lineLevel, "request", metadata: fields.metadata, source: Self.source)
    } else {
      var line = LogLine("request")
      Self.add(record, status, time, to: &line)
      logger.log(level: lineLevel, Logger.Message(stringLiteral: line.text), source: Self.source)
    }
  }

  /// Writes the line of bytes that were not a request.
  func note(_ rejection: HTTPRequestRejection, id: RequestID, from remoteAddress: String?) {
    metrics?.count(nil, rejection.status, after: .zero)
    log(rejection.cause == nil ? .info : .error, "request refused") { fields in
      fields.add("status", rejection.status.code)
      fields.add("code", rejection.code)
      fields.add("id", id)
      if let remoteAddress { fields.add("from", remoteAddress) }
      if let cause = rejection.cause { fields.add("cause", cause) }
    }
  }

  /// Counts an error sent to a client, if it is of a counted kind.
  func noteRefusal(_ error: any Error, _ record: Record) {
    metrics?.countRefusal(error, of: record.operation)
  }

  /// Logs an error that no client may see.
  ///
  /// - Returns: The request's id, by which the error is found in the log.
  func failure(_ error: any Error, _ record: Record) -> String {
    log(.error, "request failed") { fields in
      fields.add("id", record.id)
      fields.add("operation", record.operation?.id ?? "-")
      fields.add("error", String(reflecting: error))
    }
    return record.id.text
  }

  /// Writes a line that is seldom enough for its fields to be found through a protocol's table.
  private func log(_ level: Logger.Level, _ event: String, _ add: (inout any LogFields) -> Void) {
    var fields: any LogFields = logsFields ? LogMetadata() : LogLine(event)
    add(&fields)
    if let line = fields as? LogLine {
      logger.log(level: level, "\(line.text)", source: Self.source)
    } else if let fields = fields as? LogMetadata {
      logger.log(level: level, "\(event)", metadata: fields.metadata, source: Self.source)
    }
  }

  /// Adds a request's fields to its line, in the order of the line.
  private static func add(
    _ record: Record, _ status: HTTPStatus, _ time: Duration, to fields: inout some LogFields
  ) {
    let elapsed = time.components
    let microseconds = elapsed.seconds * 1_000_000 + elapsed.attoseconds / 1_000_000_000_000
    fields.add("operation", record.operation?.id ?? "-")
    fields.add("method", name(of: record.method))
    fields.add("status", status.code)
    fields.add("microseconds", Int(microseconds))
    fields.add("id", record.id)
    if let name = record.names.given { fields.add("request", name) }
    if let trace = record.names.trace { fields.add("trace", trace) }
    if let remoteAddress = record.remoteAddress { fields.add("from", remoteAddress) }
    if let membership = record.membership {
      fields.add("organization", membership.organizationID)
      fields.add("user", membership.userID)
    }
  }

  /// A method that the service does not know is a word of the client's choice.
  private static func name(of method: HTTPMethod) -> String {
    if case .other = method { "other" } else { method.name }
  }
}
