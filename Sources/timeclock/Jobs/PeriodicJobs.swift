import Logging

/// Runs jobs one after the other: soon after the start, and then a minute after they have ended, until it is stopped.
///
/// A job that fails does not keep the other jobs from running, and is tried again the next time. The log reports a
/// failure once, and reports when the job works again. Several servers on one database run the same jobs, so a job has
/// to allow for that.
struct PeriodicJobs: Sendable {
  private let task: Task<Void, Never>

  /// The time from the start until the jobs run first.
  static let delay: Duration = .seconds(2)
  /// The time between the end of the jobs and their next run.
  static let interval: Duration = .seconds(60)

  /// Starts the jobs.
  ///
  /// - Parameter sleep: Waits for the given time, or throws when the task is canceled.
  init(
    _ jobs: [PeriodicJob], logger: Logger,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    task = Task {
      var runs = jobs.map { Run(job: $0, logger: logger) }
      var pause = Self.delay
      while (try? await sleep(pause)) != nil, !Task.isCancelled {
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
  let logger: Logger
  var hasFailed = false

  mutating func run() async {
    do {
      try await job.run()
      if hasFailed { logger.notice("\(job.name): works again") }
      hasFailed = false
    } catch {
      if !hasFailed { logger.error("\(job.name): failed, and is tried again every minute: \(error)") }
      hasFailed = true
    }
  }
}
