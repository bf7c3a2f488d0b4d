/// What other threads put before an event loop; only used inside the loop's mutex.
struct EventLoopInbox: ~Copyable {
  private let wakeup: Wakeup
  private var jobs: [UnownedJob] = []
  private var work: [@Sendable () -> Void] = []
  /// Whether the loop was woken and has not looked yet.
  private var isSignaled = false
  private var isClosed = false
  private var endWaiters: [CheckedContinuation<Void, Never>] = []

  init(wakeup: Wakeup) {
    self.wakeup = wakeup
  }

  /// Adds a job for the loop to run.
  ///
  /// A job that comes after the loop has ended belongs to a task that outlived it; it never runs, because its
  /// executor is gone.
  mutating func add(_ job: UnownedJob) {
    guard !isClosed else { return }
    jobs.append(job)
    signal()
  }

  /// Adds work for the loop's thread; false when the loop has ended.
  mutating func add(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard !isClosed else { return false }
    work.append(body)
    signal()
    return true
  }

  /// Resumes the continuation when the loop has ended.
  mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
    if isClosed {
      continuation.resume()
    } else {
      endWaiters.append(continuation)
    }
  }

  /// Moves all jobs to the end of `readyJobs`, and answers what else there is to do.
  mutating func take(into readyJobs: inout [UnownedJob]) -> [@Sendable () -> Void] {
    isSignaled = false
    readyJobs.append(contentsOf: jobs)
    jobs.removeAll(keepingCapacity: true)
    defer { work = [] }
    return work
  }

  /// Closes, if there is nothing more to do; otherwise answers what there is, and takes more.
  mutating func closeIfEmpty() -> [@Sendable () -> Void] {
    guard work.isEmpty else {
      defer { work = [] }
      return work
    }
    isClosed = true
    for waiter in endWaiters { waiter.resume() }
    endWaiters = []
    return []
  }

  /// Wakes the loop, once for all that is put in before it looks.
  private mutating func signal() {
    guard !isSignaled, !isClosed else { return }
    isSignaled = true
    wakeup.signal()
  }
}
