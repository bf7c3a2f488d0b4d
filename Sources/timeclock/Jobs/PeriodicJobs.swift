import Logging
import TimeclockDomain

/// Runs jobs one after the other: soon after the start, and then a minute after they have ended, until it is stopped.
///
/// A job that fails does not keep the other jobs from running, and is tried again the next time. The log reports a
/// failure once, and reports when the job works again. Several servers on one database run the same jobs, so a job has
/// to allow for that. While the clock is in doubt jobs that go by it are left out, and the log says so once.
struct PeriodicJobs: Sendable {
  private let task: Task<Void, Never>

  /// The time from the start until the jobs run first.
  static let delay: Duration = .seconds(2)
  /// The time between the end of the jobs and their next run.
  static let interval: Duration = .seconds(60)

  /// Starts the jobs.
  ///
  /// - Parameters:
  ///   - watch: Says whether the clock is to be believed.
  ///   - sleep: Waits for the given time, or throws when the task is canceled.
  init(
    _ jobs: [PeriodicJob], watch: ClockWatch, logger: Logger,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    task = Task {
      var runs = jobs.map { Run(job: $0, watch: watch, logger: logger) }
      var pause = Self.delay
      var isInDoubt = false
      while (try? await sleep(pause)) != nil, !Task.isCancelled {
        let doubt = watch.trusted().doubt
        if let doubt, !isInDoubt { doubt.log(to: logger) }
        if doubt == nil, isInDoubt { logger.notice("the clock is believed again: jobs that go by it run") }
        isInDoubt = doubt != nil
        for index in runs.indices where !Task.isCancelled { await runs[index].run() }
        pause = Self.interval
      }
    }
  }

  /// Begins no further job.
  func cancel() {
    task.cancel()
  }

  /// Begins no further job, and waits for the running one.
  func stop() async {
    task.cancel()
    await task.value
  }
}

/// A job, and the outcome of its last run.
private struct Run {
  let job: PeriodicJob
  let watch: ClockWatch
  let logger: Logger
  var hasFailed = false

  mutating func run() async {
    do {
      switch job.work {
      case .byTime(let run):
        guard case .success(let now) = watch.trusted() else { return }
        try await run(now)
      case .deletion(let run):
        guard let now = watch.settled() else { return }
        try await run(now)
      case .timeless(let run): try await run()
      }
      if hasFailed { logger.notice("\(job.name): works again") }
      hasFailed = false
    } catch {
      if !hasFailed { logger.error("\(job.name): failed, and is tried again every minute: \(error)") }
      hasFailed = true
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
