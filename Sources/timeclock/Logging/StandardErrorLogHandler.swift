import Logging

/// The back end of swift-log, which writes one line for each event to standard error.
struct StandardErrorLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level

  init(level: Logger.Level) {
    logLevel = level
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var fields = event.metadata ?? [:]
    if !metadata.isEmpty { fields.merge(metadata) { field, _ in field } }
    StandardErrorLog.shared.append(event.message.description, level: event.level, fields: fields)
  }
}
