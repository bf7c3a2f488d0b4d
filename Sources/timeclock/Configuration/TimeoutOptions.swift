import ArgumentParser
import SocketHTTPServer

/// The options that say how long the server waits for a client, and for itself to stop.
struct TimeoutOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "In which a request's head has to come, or 408. (default: 10; TIMECLOCK_HEAD_TIMEOUT)",
      valueName: "seconds"))
  var headTimeout: Int?

  @Option(
    help: ArgumentHelp(
      "In which each 4 KiB of a request's body have to come, or 408. (default: 30; TIMECLOCK_BODY_TIMEOUT)",
      valueName: "seconds"))
  var bodyTimeout: Int?

  @Option(
    help: ArgumentHelp(
      "In which each 4 KiB of an answer have to be taken. (default: 30; TIMECLOCK_WRITE_TIMEOUT)",
      valueName: "seconds"))
  var writeTimeout: Int?

  @Option(
    help: ArgumentHelp(
      "For which a connection stays open behind an answer. (default: 75; TIMECLOCK_IDLE_TIMEOUT)",
      valueName: "seconds"))
  var idleTimeout: Int?

  @Option(
    help: ArgumentHelp(
      "That the requests in flight have when the server stops. (default: 10; TIMECLOCK_SHUTDOWN_TIMEOUT)",
      valueName: "seconds"))
  var shutdownTimeout: Int?

  /// - Throws: `CommandError` for a number out of its range.
  func apply(to timeouts: inout HTTPServerTimeouts) throws {
    func set(
      _ keyPath: WritableKeyPath<HTTPServerTimeouts, Duration>, _ flag: Int?, _ variable: String
    ) throws {
      let standard = Int(timeouts[keyPath: keyPath].components.seconds)
      let seconds = try Setting.number(flag, variable, in: 1...3_600, " seconds", default: standard)
      timeouts[keyPath: keyPath] = .seconds(seconds)
    }
    try set(\.head, headTimeout, "TIMECLOCK_HEAD_TIMEOUT")
    try set(\.body, bodyTimeout, "TIMECLOCK_BODY_TIMEOUT")
    try set(\.write, writeTimeout, "TIMECLOCK_WRITE_TIMEOUT")
    try set(\.idle, idleTimeout, "TIMECLOCK_IDLE_TIMEOUT")
    try set(\.shutdown, shutdownTimeout, "TIMECLOCK_SHUTDOWN_TIMEOUT")
  }
}
