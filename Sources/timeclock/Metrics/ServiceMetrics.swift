import EventLoops
import Metrics
import SocketHTTPServer
import Synchronization
import TimeclockAPI
import TimeclockDomain

/// The numbers of the service, as Prometheus reads them.
///
/// docs/monitoring.md lists them, and `Tests/Acceptance/operations/metrics.py` compares the list with the metrics
/// served.
final class ServiceMetrics: Sendable {
  /// The numbers of the API.
  let requests = RequestMetrics()
  /// The numbers of the storage.
  let storage = StorageMetrics()
  /// The delays of the event loops.
  let loops: LoopWatch
  private let overMaximum = Atomic(-1)
  private let failingWebhooks = Mutex<FailingWebhookCount?>(nil)

  init(loops: LoopWatch) {
    self.loops = loops
  }

  /// Takes over the number of open entries over the maximum of their policies, which is counted once a minute; nil if
  /// another server counts it.
  @Sendable func setEntriesOverMaximum(_ count: Int?) {
    overMaximum.store(count ?? -1, ordering: .relaxed)
  }

  /// Takes over the numbers of webhooks that fail, which are counted once a minute; nil if another server counts them.
  @Sendable func setFailingWebhooks(_ count: FailingWebhookCount?) {
    failingWebhooks.withLock { $0 = count }
  }

  /// All metrics, of a server.
  ///
  /// - Parameter sqlitePath: The path of the SQLite file; nil on PostgreSQL.
  func text(of server: HTTPServer, sqlitePath: String?) -> String {
    var text = MetricsText()
    text.begin("timeclock_build_info", .gauge, "The running version; always 1.")
    let storageName = sqlitePath == nil ? "postgresql" : "sqlite"
    text.add("timeclock_build_info", 1, [("version", Version.text), ("storage", storageName)])
    addRequests(to: &text)
    text.begin("timeclock_open_connections", .gauge, "Connections that clients have open.")
    text.add("timeclock_open_connections", server.openConnectionCount)
    addLoops(to: &text)
    addStorage(to: &text)
    if let sqlitePath {
      text.begin("timeclock_sqlite_wal_bytes", .gauge, "Size of SQLite's write-ahead log.")
      text.add("timeclock_sqlite_wal_bytes", FileSize.bytes(of: sqlitePath + "-wal"))
    } else {
      addPools(to: &text)
    }
    if let sqlitePath, let time = BackupNote.time(ofDatabase: sqlitePath) {
      text.begin(
        "timeclock_last_backup_timestamp_seconds", .gauge,
        "Time of the last back-up of the SQLite database that timeclock backup has made, in seconds since 1970."
      )
      text.add("timeclock_last_backup_timestamp_seconds", time)
    }
    addCounts(to: &text)
    return text.text
  }

  /// The numbers that are the database's.
  private func addCounts(to text: inout MetricsText) {
    let count = overMaximum.load(ordering: .relaxed)
    if count >= 0 {
      text.begin(
        "timeclock_open_entries_over_maximum", .gauge,
        "Active time entries that are open for longer than their organization's policy has it, counted once a minute."
      )
      text.add("timeclock_open_entries_over_maximum", count)
    }
    if let failing = failingWebhooks.withLock({ $0 }) {
      text.begin(
        "timeclock_failing_webhooks", .gauge,
        "Webhooks whose last attempt has failed, by whether they are tried again, counted once a minute.")
      text.add("timeclock_failing_webhooks", failing.enabled, [("state", "enabled")])
      text.add("timeclock_failing_webhooks", failing.disabled, [("state", "disabled")])
    }
  }

  private func addRequests(to text: inout MetricsText) {
    let name = "timeclock_request_duration_seconds"
    text.begin(
      name, .histogram,
      "Time to the head of the answer, by the contract's operationId and the class of the status.")
    for series in requests.series {
      text.add(
        name, series.reading, bounds: requests.bounds, isTime: true,
        [("operation", series.operation), ("status", series.status)])
    }
    text.begin(
      "timeclock_log_ins_refused_total", .counter, "Log-ins that were refused, by the problem's code.")
    let refused = requests.refusedLogIns
    text.add("timeclock_log_ins_refused_total", refused.credentials, [("code", "invalid_credentials")])
    text.add("timeclock_log_ins_refused_total", refused.attempts, [("code", "too_many_attempts")])
  }

  private func addLoops(to text: inout MetricsText) {
    text.begin(
      "timeclock_event_loop_lag_seconds", .histogram,
      "Time from handing work to an event loop until it runs, asked once a second.")
    text.add(
      "timeclock_event_loop_lag_seconds", loops.lag.reading(), bounds: loops.lag.bounds, isTime: true)
    text.begin(
      "timeclock_event_loop_stalled_seconds", .gauge,
      "Time for which an event loop has not answered; 0 if it turns.")
    for (index, stall) in loops.stalls.enumerated() {
      text.add("timeclock_event_loop_stalled_seconds", nanoseconds: stall, [("loop", String(index))])
    }
  }

  private func addStorage(to text: inout MetricsText) {
    let name = "timeclock_storage_duration_seconds"
    text.begin(name, .histogram, "Time of a call of the storage, waiting and a write's commit included.")
    for (kind, histogram) in [("read", storage.reads), ("write", storage.writes)] {
      text.add(name, histogram.reading(), bounds: histogram.bounds, isTime: true, [("kind", kind)])
    }
    text.begin("timeclock_commit_writes", .histogram, "Writes that shared a commit.")
    text.add(
      "timeclock_commit_writes", storage.commits.reading(), bounds: storage.commits.bounds, isTime: false)
  }

  private func addPools(to text: inout MetricsText) {
    let pools = storage.pools
    func add(_ name: String, _ help: String, _ number: (PoolMetrics) -> Int) {
      text.begin(name, .gauge, help)
      text.add(name, pools.reduce(0) { $0 + number($1) })
    }
    add("timeclock_postgresql_connections", "Connections to PostgreSQL that stand.") {
      $0.open.load(ordering: .relaxed)
    }
    add(
      "timeclock_postgresql_connections_in_use",
      "Connections to PostgreSQL that owe an answer or belong to a transaction."
    ) { $0.inUse.load(ordering: .relaxed) }
    add("timeclock_postgresql_waiting_calls", "Calls of the storage that wait for a connection.") {
      $0.waiting.load(ordering: .relaxed)
    }
  }
}
