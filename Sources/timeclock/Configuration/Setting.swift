import ArgumentParser
import Glibc
import Logging

/// A setting of `timeclock serve`: an environment variable, and a flag, which wins.
///
/// Its row (`Setting+Rows.swift`) is its whole description: the option and its help, the tables in docs/operating.md
/// and deploy/timeclock.env are made of the row. To add one, add a case, its row, and an option where it is read; then
/// write the documents, as `SettingDocumentTests` says.
enum Setting: String, CaseIterable, Sendable {
  case host = "TIMECLOCK_HOST"
  case port = "TIMECLOCK_PORT"
  case database = "TIMECLOCK_DATABASE"
  case createDatabase = "TIMECLOCK_CREATE_DATABASE"
  case databaseConnections = "TIMECLOCK_DATABASE_CONNECTIONS"
  case requireRowSecurity = "TIMECLOCK_REQUIRE_ROW_SECURITY"
  case readOnly = "TIMECLOCK_READ_ONLY"
  case operatorTokenFile = "TIMECLOCK_OPERATOR_TOKEN_FILE"
  case operatorToken = "TIMECLOCK_OPERATOR_TOKEN"
  case trustedProxies = "TIMECLOCK_TRUSTED_PROXIES"
  case forwardedField = "TIMECLOCK_FORWARDED_FIELD"
  case rateLimit = "TIMECLOCK_RATE_LIMIT"
  case corsOrigins = "TIMECLOCK_CORS_ORIGINS"
  case page = "TIMECLOCK_PAGE"
  case taskTimerAPI = "TIMECLOCK_TASK_TIMER_API"
  case webhookAllow = "TIMECLOCK_WEBHOOK_ALLOW"
  case apnsKeyFile = "TIMECLOCK_APNS_KEY_FILE"
  case apnsKeyID = "TIMECLOCK_APNS_KEY_ID"
  case apnsTeamID = "TIMECLOCK_APNS_TEAM_ID"
  case apnsHost = "TIMECLOCK_APNS_HOST"
  case apnsCAFile = "TIMECLOCK_APNS_CA_FILE"
  case eventLoops = "TIMECLOCK_EVENT_LOOPS"
  case logLevel = "TIMECLOCK_LOG_LEVEL"
  case logFormat = "TIMECLOCK_LOG_FORMAT"
  case metricsListen = "TIMECLOCK_METRICS_LISTEN"
  case maxConnections = "TIMECLOCK_MAX_CONNECTIONS"
  case maxConnectionsPerAddress = "TIMECLOCK_MAX_CONNECTIONS_PER_ADDRESS"
  case maxRequestLine = "TIMECLOCK_MAX_REQUEST_LINE"
  case maxHead = "TIMECLOCK_MAX_HEAD"
  case maxFields = "TIMECLOCK_MAX_FIELDS"
  case maxBody = "TIMECLOCK_MAX_BODY"
  case maxBufferedBodies = "TIMECLOCK_MAX_BUFFERED_BODIES"
  case headTimeout = "TIMECLOCK_HEAD_TIMEOUT"
  case bodyTimeout = "TIMECLOCK_BODY_TIMEOUT"
  case writeTimeout = "TIMECLOCK_WRITE_TIMEOUT"
  case idleTimeout = "TIMECLOCK_IDLE_TIMEOUT"
  case shutdownTimeout = "TIMECLOCK_SHUTDOWN_TIMEOUT"

  /// The environment variable.
  var variable: String { rawValue }

  /// Both names, for a sentence: `--max-head (TIMECLOCK_MAX_HEAD)`.
  var name: String { flag.map { "--\($0) (\(variable))" } ?? variable }

  /// The option without its dashes: `max-head`; nil if only the variable gives the setting.
  var flag: String? {
    switch row.kind {
    case .secret: nil
    case .list(let flag): flag
    case .value, .choice:
      variable.dropFirst("TIMECLOCK_".count).lowercased().split(separator: "_").joined(separator: "-")
    }
  }
}

extension Setting {
  /// The value of the flag, or else of the variable, or else the default of the row.
  ///
  /// A variable that is set to nothing counts as not set.
  ///
  /// - Throws: `CommandError` if the variable's text does not read as a value.
  func value<Value: ExpressibleByArgument>(_ flag: Value?) throws -> Value {
    if let value = try optional(flag) { return value }
    guard let standard = row.standard.flatMap(Value.init(argument:)) else {
      preconditionFailure("\(variable) has no default of its type")
    }
    return standard
  }

  /// The whole number of the flag, or else of the variable, or else the default of the row.
  ///
  /// - Throws: `CommandError` for anything but a whole number in the range of the row.
  func number(_ flag: Int?) throws -> Int {
    if let number = try optionalNumber(flag) { return number }
    return try value(nil as Int?)
  }

  /// The whole number of the flag, or else of the variable, or else nil.
  ///
  /// - Throws: `CommandError` for anything but a whole number in the range of the row.
  func optionalNumber(_ flag: Int?) throws -> Int? {
    guard let range = row.range else { preconditionFailure("\(variable) has no range") }
    guard let number = try optional(flag) else { return nil }
    guard !range.contains(number) else { return number }
    throw CommandError(
      usage: "\(name) must be from \(range.lowerBound) to \(range.upperBound)\(row.unit), not \(number).")
  }

  /// The value of the flag, or else of the variable, or else nil.
  ///
  /// - Throws: `CommandError` if the variable's text does not read as a value.
  func optional<Value: ExpressibleByArgument>(_ flag: Value?) throws -> Value? {
    if let flag { return flag }
    guard let text = getenv(variable).map({ String(cString: $0) }), !text.isEmpty else { return nil }
    guard let value = Value(argument: text) else {
      throw CommandError(usage: "The value of \(variable) is not valid: \(Self.advice(on: Value.self))")
    }
    return value
  }

  /// The end of a sentence on a value that is none of the type: which values there are, or if it says so.
  private static func advice<Value: ExpressibleByArgument>(on type: Value.Type) -> String {
    let values = type == Bool.self ? ["true", "false"] : type.allValueStrings
    return values.isEmpty
      ? "see `timeclock serve --help`." : "it is one of \(values.joined(separator: ", "))."
  }

  /// The values that flags give, or else the variable, separated by commas, spaces or both.
  func list(_ flags: [String]) -> [String] {
    guard flags.isEmpty, let text = getenv(variable) else { return flags }
    return String(cString: text).split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
  }
}

extension Option {
  /// An option that gives a setting, under its name and with its help.
  init<Given: ExpressibleByArgument>(_ setting: Setting) where Value == Given? {
    self.init(name: setting.optionName, help: setting.argumentHelp)
  }

  /// A repeatable option that gives a setting, under its name and with its help.
  init<Given: ExpressibleByArgument>(wrappedValue: [Given], _ setting: Setting) where Value == [Given] {
    self.init(wrappedValue: wrappedValue, name: setting.optionName, help: setting.argumentHelp)
  }
}

extension Flag where Value == Bool? {
  /// A flag that gives a setting, or with `no-` before its name takes it away.
  init(_ setting: Setting) {
    self.init(name: setting.optionName, inversion: .prefixedNo, help: setting.argumentHelp)
  }
}

extension Setting {
  fileprivate var optionName: NameSpecification {
    guard let flag else { preconditionFailure("\(variable) has no option") }
    return .customLong(flag)
  }

  fileprivate var argumentHelp: ArgumentHelp { ArgumentHelp(help, valueName: row.valueName) }

  /// The help of the option: the words of the row, the default and the variable.
  var help: String {
    let standard = row.standardWords ?? row.standard ?? ""
    if case .list = row.kind {
      return "\(plainWords) Repeatable. (default: \(standard); \(variable), comma-separated)"
    }
    return "\(plainWords) (default: \(standard); \(variable))"
  }

  /// The words of the row, and its range.
  var words: String {
    guard let range = row.range else { return row.words }
    return "\(row.words) From \(range.lowerBound) to \(range.upperBound)."
  }

  /// The same without the marks of Markdown: of a link its text.
  var plainWords: String {
    var plain = ""
    var rest = words[...]
    while let open = rest.firstIndex(of: "["), let close = rest[open...].firstIndex(of: "]"),
      let end = rest[close...].firstIndex(of: ")")
    {
      plain.append(contentsOf: rest[..<open])
      plain.append(contentsOf: rest[open..<close].dropFirst())
      rest = rest[end...].dropFirst()
    }
    plain.append(contentsOf: rest)
    return plain.filter { $0 != "`" }
  }
}
