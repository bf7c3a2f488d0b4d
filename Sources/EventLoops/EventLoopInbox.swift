/// The jobs and work that other threads hand to an event loop. It is used only inside the loop's mutex.
struct EventLoopInbox: ~Copyable {
  private let wakeup: Wakeup
  private var jobs: [UnownedJob] = []
  private var work: [@Sendable () -> Void] = []
  /// Whether the loop has been woken and has not emptied the inbox yet.
  private var isSignaled = false
  private var isClosed = false
  private var endWaiters: [CheckedContinuation<Void, Never>] = []

  init(wakeup: Wakeup) {
    self.wakeup = wakeup
  }

  /// Adds a job for the loop to run.
  ///
  /// A job that arrives after the loop has ended belongs to a task that outlived the loop. It never runs, because its
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

  /// Moves all jobs to the end of `readyJobs`, and returns the other work.
  mutating func take(into readyJobs: inout [UnownedJob]) -> [@Sendable () -> Void] {
    isSignaled = false
    readyJobs.append(contentsOf: jobs)
    jobs.removeAll(keepingCapacity: true)
    defer { work = [] }
    return work
  }

  /// Closes the inbox if it is empty; otherwise returns its work, and stays open.
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

  /// Wakes the loop, once for everything that is added before the loop empties the inbox.
  private mutating func signal() {
    guard !isSignaled, !isClosed else { return }
    isSignaled = true
    wakeup.signal()
  }
}
