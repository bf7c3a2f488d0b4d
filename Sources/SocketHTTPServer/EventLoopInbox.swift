/// A wish that an event loop stop gracefully.
struct StopRequest {
  /// The nanoseconds until what still runs is cut.
  let timeout: Int64
}

/// What other threads put before an event loop; only used inside the loop's mutex.
struct EventLoopInbox: ~Copyable {
  private let wakeup: Wakeup
  private var jobs: [UnownedJob] = []
  private var stopRequest: StopRequest?
  /// Whether the loop was woken and has not looked yet.
  private var isSignalled = false
  private var isClosed = false
  private var stopWaiters: [CheckedContinuation<Void, Never>] = []

  init(wakeup: Wakeup) {
    self.wakeup = wakeup
  }

  /// Adds a job for the loop to run.
  ///
  /// A job that comes after the loop has ended belongs to a handler that outlived the stop's deadline;
  /// it never runs, because its executor is gone.
  mutating func add(_ job: UnownedJob) {
    guard !isClosed else { return }
    jobs.append(job)
    signal()
  }

  mutating func request(_ stop: StopRequest) {
    stopRequest = stop
    signal()
  }

  /// Resumes the continuation when the loop has ended.
  mutating func waitForClose(_ continuation: CheckedContinuation<Void, Never>) {
    if isClosed {
      continuation.resume()
    } else {
      stopWaiters.append(continuation)
    }
  }

  /// Moves all jobs to the end of `readyJobs`, and answers what stop is requested, if any.
  mutating func take(into readyJobs: inout [UnownedJob]) -> StopRequest? {
    isSignalled = false
    readyJobs.append(contentsOf: jobs)
    jobs.removeAll(keepingCapacity: true)
    return stopRequest
  }

  mutating func close() {
    isClosed = true
    for waiter in stopWaiters { waiter.resume() }
    stopWaiters = []
  }

  /// Wakes the loop, once for all that is put in before it looks.
  private mutating func signal() {
    guard !isSignalled, !isClosed else { return }
    isSignalled = true
    wakeup.signal()
  }
}
