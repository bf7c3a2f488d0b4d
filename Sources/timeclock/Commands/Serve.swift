import ArgumentParser
import CLinux
import Credentials
import Delivery
import FoundationEssentials
import HTTPMessages
import Logging
import Metrics
import PostgreSQLStorage
import Procedures
import SQLiteStorage
import SocketHTTPServer
import Synchronization
import TimeclockAPI
import TimeclockDomain

/// `timeclock serve`: answers requests until it is stopped.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Serve the HTTP API.")

  @OptionGroup var listen: ListenOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var edge: EdgeOptions
  @OptionGroup(title: "Messages to phones") var push: PushOptions

  @Option(.operatorTokenFile) var operatorTokenFile: String?
  @Option(.eventLoops) var eventLoops: Int?
  @Option(.databaseConnections) var databaseConnections: Int?
  @Flag(.requireRowSecurity) var requireRowSecurity: Bool?
  @Flag(.readOnly) var readOnly: Bool?
  @Flag(.createDatabase) var createDatabase: Bool?
  @Option(.logLevel) var logLevel: Logger.Level?
  @Option(.logFormat) var logFormat: LogFormat?
  @Option(.metricsListen) var metricsListen: String?
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Time-outs") var timeouts: TimeoutOptions

  func run() async throws {
    let level = try Setting.logLevel.value(logLevel)
    let format = try Setting.logFormat.value(logFormat)
    StandardErrorLog.shared.setFormat(format)
    LoggingSystem.bootstrap { _ in StandardErrorLogHandler(level: level) }
    let logger = Logger(label: "timeclock")
    for variable in UnknownVariable.all(among: ProcessInfo.processInfo.environment.keys) {
      logger.warning("\(variable.warning)")
    }
    let stop = StopReason()
    try await Lifecycle.run { try await serve(until: stop, adding: &$0, logger, format) }
    logger.notice("stopped")
    StandardErrorLog.shared.finish()
    if stop.hasStorageFailed { throw ExitCode(CommandError.software) }
  }

  /// Begins all parts of the service, and serves until there is a reason to stop.
  private func serve(
    until stop: StopReason, adding parts: inout Lifecycle, _ logger: Logger, _ format: LogFormat
  ) async throws {
    let supervisor = Supervisor()
    supervisor?.tell(status: "Opening the database")
    let loopWatch = LoopWatch()
    let metricsAddress = try Setting.metricsListen.optional(metricsListen).map(MetricsAddress.init)
    let metrics = metricsAddress.map { _ in ServiceMetrics(loops: loopWatch) }
    let operatorToken = try OperatorToken.digest(file: operatorTokenFile)
    let edge = try self.edge.configuration()
    var configuration = try serverConfiguration(edge.trustedProxies)
    try Signals.onStop { stop.set(.signal($0)) }
    if metrics != nil || supervisor?.watchdogNanoseconds != nil {
      let heartbeat = try Heartbeat(loopWatch, supervisor, isMeasuring: metrics != nil)
      parts.add(stopping: heartbeat.stop)
    }
    let isReadOnly = try Setting.readOnly.value(readOnly)
    let location = try database.location().reading(only: isReadOnly)
    let storage = try open(location, logger: logger, format, metrics?.storage) { stop.set(.storageFailed) }
    parts.add(stopping: storage.close)
    if let storage = storage as? PostgreSQLStorage, !storage.isRowSecurityActive {
      logger.warning(
        """
        Row-level security does not hold the database's role, because it is a superuser or has BYPASSRLS: connect as one \
        that only owns the database (docs/postgresql.md)
        """)
    }
    let timeclock = Timeclock(storage: storage, isReadOnly: isReadOnly)
    let passwords = try PasswordHasher()
    let reachable = try self.edge.webhookAddresses()
    let phones = try push.sender()
    let pings = WebhookSender(allowing: reachable, version: Version.text, threadCount: 4, queueLimit: 1)
    let sender = WebhookSender(
      allowing: reachable, version: Version.text, threadCount: WebhookDeliverer.places, queueLimit: 64)
    let api = TimeclockAPI(
      timeclock: timeclock, passwords: passwords, operatorToken: operatorToken,
      version: Version.text, edge: edge, pings: pings, logger: logger, logsFields: format == .json,
      metrics: metrics?.requests)
    let watch = await timeclock.clockWatch { .seconds(linux_uptime()) }
    let server = HTTPServer(configuration: configuration, handler: api)
    let path = (storage as? SQLiteStorage)?.path
    // It answers until the others have stopped.
    let metricsServer = metricsAddress.map { address in
      address.server { metrics?.text(of: server, sqlitePath: path) ?? "" }
    }
    parts.add { await metricsServer?.stop() }
    let control = path.flatMap {
      ControlSocket.server(ofDatabase: $0, timeclock: timeclock, passwords, logger: logger, format)
    }
    parts.add(ending: { control?.beginStop(within: .seconds(1)) }) { await control?.stop() }
    do {
      try server.start()
    } catch {
      throw CommandError(listening: error, host: .host, port: .port)
    }
    parts.add(ending: {
      sender.stop()
      phones?.stop()
      pings.stop()
      api.endStreams()
      server.beginStop(within: stop.timeout)
    }) { await server.stop() }
    if let fault = configuration.spoolFault {
      logger.warning(
        "No temporary file can be made, so files of more than --max-body bytes are not imported: \(fault)")
    }
    loopWatch.watch(server.eventLoops)
    do {
      try metricsServer?.start()
    } catch {
      throw CommandError(listening: error, host: .metricsListen, port: .metricsListen)
    }
    var jobs = PeriodicJob.reading(of: timeclock)
    if !isReadOnly {
      if let phones {
        parts.add(PushNotifier(of: timeclock, watch: watch, via: phones, logger: logger).worker)
      }
      parts.add(WebhookDeliverer(of: timeclock, watch: watch, via: sender, logger: logger).worker)
      let timers = TimerScheduler(of: timeclock, watch: watch, logger: logger)
      parts.add(timers.worker)
      jobs = PeriodicJob.writing(of: timeclock, timers: timers, metrics: metrics, logger: logger) + jobs
    }
    parts.add(PeriodicJobs(jobs, watch: watch, logger: logger, takesTurn: storage.takesTurn).worker)
    let connections = Logger.MetadataValue.stringConvertible(configuration.connectionLimit)
    if let path = configuration.socketPath {
      logger.event(.notice, "listening", format, ["socket": .string(path), "connections": connections])
    } else {
      configuration.port = server.port ?? configuration.port
      logger.event(
        .notice, "listening", format,
        [
          "host": .string(configuration.host), "port": .stringConvertible(Int(configuration.port)),
          "connections": connections,
        ])
    }

    if let metricsAddress, let port = metricsServer?.port {
      logger.event(
        .notice, "metrics listening", format,
        ["host": .string(metricsAddress.host), "port": .stringConvertible(Int(port))])
    }
    supervisor?.tellReady(status: "Serving on \(configuration.place)")
    StartupMemory.releaseSoon()
    // Until the periodic job that gives it back.
    linux_keep_memory(32 * 1_024 * 1_024)
    let reason = await stop.wait()
    logger.event(.notice, "stopping", format, ["reason": .string("\(reason)")])
    supervisor?.tellStopping(status: "Finishing what is under way")
  }

  /// Opens the database, and logs its kind and version.
  ///
  /// - Throws: `CommandError` and other errors with one line; `ExitCode` 65 after a line in the log, if a new start
  ///   does not help before a person has repaired the files.
  private func open(
    _ location: DatabaseLocation, logger: Logger, _ format: LogFormat,
    _ metrics: StorageMetrics?, onFailure: @escaping @Sendable () -> Void
  ) throws -> any Storage {
    let mayCreate = try Setting.createDatabase.value(createDatabase)
    let storage: any Storage
    do {
      storage = try location.open(
        connectionsPerLoop: Setting.databaseConnections.number(databaseConnections),
        requiresRowSecurity: Setting.requireRowSecurity.value(requireRowSecurity),
        mayCreate: mayCreate, metrics: metrics, patience: .seconds(10), whenInUse: "Stop it first.",
        whenWaiting: { logger.notice("\($0)") },
        report: { logger.error("database: \($0)") }, alarm: { logger.critical("database: \($0)") },
        onFailure: onFailure)
    } catch let error as SQLiteStorageError where error.needsPerson {
      logger.critical("database: \(error)")
      StandardErrorLog.shared.finish()
      throw ExitCode(CommandError.data)
    }
    let (library, version) = location.library
    if let storage = storage as? SQLiteStorage {
      logger.event(
        .notice, "opened database", format,
        [library: .string(version), "path": .string(storage.path), "created": .string("\(storage.isNew)")])
    } else {
      logger.event(.notice, "opened database", format, [library: .string(version)])
    }
    return storage
  }

  private func serverConfiguration(_ proxies: TrustedProxies) throws -> HTTPServerConfiguration {
    var configuration = HTTPServerConfiguration()
    configuration.host = try listen.resolvedHost()
    configuration.port = try listen.resolvedPort()
    if let count = try Setting.eventLoops.optionalNumber(eventLoops) { configuration.eventLoopCount = count }
    try limits.apply(to: &configuration)
    try timeouts.apply(to: &configuration.timeouts)
    configuration.isUncountedAddress = { HTTPServerConfiguration.isLoopback($0) || proxies.include($0) }
    let spools = configuration.eventLoopCount * configuration.spoolLimit
    configuration.connectionLimit = min(
      configuration.connectionLimit, max(1, OpenFiles.raiseLimit() - OpenFiles.reserve - spools))
    return configuration
  }
}

/// The reason why the server ends; set once, by the first one.
private final class StopReason: Sendable {
  enum Reason: CustomStringConvertible {
    case signal(Int32)
    /// A commit failed, and the state on disk is unknown: only a restart can find out.
    case storageFailed

    var description: String {
      switch self {
      case .signal(let number): "signal \(number)"
      case .storageFailed: "the database failed"
      }
    }
  }

  /// Whether the database failed, even if the server was already ending for another reason.
  var hasStorageFailed: Bool { storageFailure.load(ordering: .acquiring) }

  /// The time that the requests in flight may take; nil for the server's own time-out. After a failure of the database
  /// they can only be refused, and every second until the new start is one without service.
  var timeout: Duration? { hasStorageFailed ? .seconds(1) : nil }

  private let storageFailure = Atomic(false)
  private let reasons = AsyncStream.makeStream(of: Reason.self)

  func set(_ reason: Reason) {
    if case .storageFailed = reason { storageFailure.store(true, ordering: .releasing) }
    reasons.continuation.yield(reason)
  }

  func wait() async -> Reason {
    for await reason in reasons.stream { return reason }
    return .storageFailed
  }
}
