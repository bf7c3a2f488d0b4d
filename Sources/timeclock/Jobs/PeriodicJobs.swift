import Logging
import Procedures
import TimeclockDomain

/// Runs jobs one after the other: soon after the start, and then a minute after they have ended.
///
/// A job that fails does not keep the other jobs from running, and is tried again the next time. The log reports a
/// failure once, and reports when the job works again. Of several servers on one database one at a time runs the jobs that
/// are about the database; two may meet, so a job has to allow for that. While the clock is in doubt jobs that go by it are
/// left out, and the log says so once.
struct PeriodicJobs: Sendable {
  let worker: Worker

  /// The time from the start until the jobs run first.
  static let delay: Duration = .seconds(2)
  /// The time between the end of the jobs and their next run. A turn at shared work is about a minute of the database's
  /// clock, so a server that is alone never meets its own.
  static let interval: Duration = .seconds(60)
  /// The most milliseconds that are added by chance, so that servers that were started together do not ask together for long.
  private static let jitter: Int64 = 3_000

  /// Starts the jobs.
  ///
  /// - Parameters:
  ///   - watch: Says whether the clock is to be believed.
  ///   - jitter: The time that is added to an interval.
  ///   - takesTurn: Says whether shared work is this server's now.
  ///   - sleep: Waits for the given time, or throws when the task is canceled.
  init(
    _ jobs: [PeriodicJob], watch: ClockWatch, logger: Logger,
    jitter: @escaping @Sendable () -> Duration = { .milliseconds(Int64.random(in: 0...Self.jitter)) },
    takesTurn: @escaping @Sendable (SharedWork) async -> Bool = { _ in true },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    let outages = jobs.map { Outage(of: $0.name, triedAgain: " every minute", logger: logger) }
    var isInDoubt = false
    worker = Worker(after: Self.delay, sleep: sleep) { _ in
      let doubt = watch.trusted().doubt
      if let doubt, !isInDoubt { doubt.log(to: logger) }
      if doubt == nil, isInDoubt { logger.notice("the clock is believed again: jobs that go by it run") }
      isInDoubt = doubt != nil
      var turns: [SharedWork: Bool] = [:]
      for (job, outage) in zip(jobs, outages) where !Task.isCancelled {
        guard let run = job.work.due(by: watch) else { continue }
        if let work = job.share {
          if turns[work] == nil { turns[work] = await takesTurn(work) }
          guard turns[work] == true else {
            job.leave()
            continue
          }
        }
        _ = await outage.note(run)
      }
      return Self.interval + jitter()
    }
  }
}

extension PeriodicJob.Work {
  /// The work by the time that it needs; nil while the clock is in doubt.
  fileprivate func due(by watch: ClockWatch) -> (() async throws -> Void)? {
    switch self {
    case .byTime(let run): (try? watch.trusted().get()).map { now in { try await run(now) } }
    case .deletion(let run): watch.settled().map { now in { try await run(now) } }
    case .timeless(let run): run
    }
  }
}

extension Result where Failure == ClockWatch.Doubt {
  fileprivate var doubt: ClockWatch.Doubt? {
    if case .failure(let doubt) = self { doubt } else { nil }
  }
}

extension ClockWatch.Doubt {
  /// Logs the delay and its reason.
  fileprivate func log(to logger: Logger) {
    let wait = "what the service ends or sends by itself waits until the clock has gone steadily for a minute"
    switch self {
    case .moved(let milliseconds):
      logger.warning("\(wait): it has moved by \(milliseconds / 1_000) s while it was not looked at")
    case .unknown: logger.notice("\(wait): the newest change could not be asked for")
    case .ahead(let milliseconds):
      logger.notice("\(wait): by it the newest change is \(milliseconds / 1_000) s old")
    }
  }
}
