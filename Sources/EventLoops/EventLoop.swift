import CLinux
import Glibc
import Synchronization

/// One thread that waits for descriptors, and the executor of the tasks that use them.
///
/// A task that prefers the loop starts, suspends and resumes on the thread that owns the descriptors, so it
/// needs no lock and no hop to another thread.
///
/// `@unchecked Sendable`: `inbox` is a mutex, the constants never change, and everything else is used only on the
/// loop's own thread: by `run`, its callees, and the jobs that it runs.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
  /// The loop's clock in nanoseconds, which never goes back; read once in each turn.
  package private(set) var now = EventLoop.monotonicNow()

  private let poller: Poller
  private let wakeup: Wakeup
  private let inbox: Mutex<EventLoopInbox>
  /// The watchers that receive descriptors' events, by descriptor.
  private var watchers: [(any DescriptorWatcher)?] = []
  private var clients: [any EventLoopClient] = []
  private var readyJobs: [UnownedJob] = []
  /// A buffer for jobs that become ready while others run.
  private var spareJobs: [UnownedJob] = []
  /// Tasks with long work that wait for a later turn, in the order in which they go on.
  private var waitingForTurn: [UnsafeContinuation<Void, Never>] = []
  private var isEnding = false
  private let isRunning = Atomic(false)

  /// Makes a loop that does nothing until a thread runs it.
  package init() throws(EventLoopError) {
    poller = try Poller()
    do throws(EventLoopError) {
      wakeup = try Wakeup()
    } catch {
      poller.close()
      throw error
    }
    inbox = Mutex(EventLoopInbox(wakeup: wakeup))
  }

  deinit {
    poller.close()
    wakeup.close()
  }

  /// The loop that the current thread runs.
  package static var current: EventLoop? {
    linux_thread_mark().map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether the current thread is the loop's.
  package var isCurrent: Bool {
    linux_thread_mark() == Unmanaged.passUnretained(self).toOpaque()
  }

  /// Whether the calling thread has the loop to itself, because it runs the loop or no thread does. Doors of what is used on
  /// the loop's thread only assert it: in debug builds, so that requests pay nothing.
  package var isExclusive: Bool { isCurrent || !isRunning.load(ordering: .acquiring) }

  /// Runs `body` on this loop, and continues on the executor that the caller's task prefers.
  ///
  /// A task may stand on the loop's thread and prefer another executor. An awaited call would then resume it elsewhere,
  /// in the middle of the loop's own state. Functions of this package run where their callers do (SE-0461), so a
  /// preference alone moves nobody before the next suspension: both yields do.
  package func runTask<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
    if isCurrent, isPreferredByTask { return try await body() }
    do {
      let value = try await withTaskExecutorPreference(self) {
        if !isCurrent { await Task.yield() }
        return try await body()
      }
      await Task.yield()
      return value
    } catch {
      await Task.yield()
      throw error
    }
  }

  /// Whether the current task prefers this loop (SE-0417).
  private var isPreferredByTask: Bool {
    withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      var jobs = takeReadyJobs()
      jobs.append(job)
      readyJobs = jobs
    } else {
      inbox.withLock { $0.add(job) }
    }
  }

  /// Runs `body` soon on the loop's thread; false if the loop has ended, so that `body` never runs.
  @discardableResult
  package func perform(_ body: @escaping @Sendable () -> Void) -> Bool {
    inbox.withLock { $0.add(body) }
  }

  /// Runs the loop's turns until `end` is called. Call it once, on the loop's own thread.
  package func run() {
    isRunning.store(true, ordering: .relaxed)
    linux_set_thread_mark(Unmanaged.passUnretained(self).toOpaque())
    _ = poller.add(wakeup.descriptor, .readable)
    while !isEnding {
      handleEvents(poller.wait(milliseconds: waitMilliseconds))
      runReadyJobs()
      goOnWithLongWork()
      for client in clients { client.turnEnded() }
    }
    // Work that arrived since the last turn was accepted, and may hold a connection that has to be closed.
    while case let work = inbox.withLock({ $0.closeIfEmpty() }), !work.isEmpty {
      for body in work { body() }
    }
    watchers = []
    clients = []
    linux_set_thread_mark(nil)
    isRunning.store(false, ordering: .releasing)
  }

  /// Ends the loop with the present turn. Call it on the loop's thread.
  package func end() {
    assert(isCurrent)
    isEnding = true
  }

  /// Waits until the loop has ended.
  package func waitUntilEnded() async {
    await withCheckedContinuation { continuation in
      inbox.withLock { $0.waitForEnd(continuation) }
    }
  }

  /// Begins to report a descriptor's events to `watcher`, level-triggered. Call it on the loop's thread, or before the loop
  /// runs.
  ///
  /// - Returns: False if the system has no memory for it.
  package func watch(
    _ descriptor: Int32, _ events: DescriptorEvents, _ watcher: any DescriptorWatcher
  ) -> Bool {
    assert(isExclusive)
    guard poller.add(descriptor, events) else { return false }
    let index = Int(descriptor)
    while watchers.count <= index { watchers.append(nil) }
    watchers[index] = watcher
    return true
  }

  /// Changes the events that a descriptor is watched for. Call it on the loop's thread.
  package func change(_ descriptor: Int32, to events: DescriptorEvents) {
    assert(isExclusive)
    poller.change(descriptor, to: events)
  }

  /// Stops reporting a descriptor. Call it on the loop's thread, before the descriptor is closed.
  ///
  /// Closing alone is not enough: epoll continues to report a descriptor that a child that was just forked still holds,
  /// under a number that may belong to another descriptor by then (epoll(7), question 6).
  package func unwatch(_ descriptor: Int32) {
    assert(isExclusive)
    guard watchers.indices.contains(Int(descriptor)), watchers[Int(descriptor)] != nil else { return }
    poller.remove(descriptor)
    watchers[Int(descriptor)] = nil
  }

  /// Lets `client` take part in every turn from now on. Call it on the loop's thread, or before the loop runs.
  package func add(_ client: any EventLoopClient) {
    assert(isExclusive)
    clients += [client]
  }

  /// Has the calling task wait for a later turn if it runs on a loop whose present turn has lasted long already, so
  /// that the poller is asked and others are served in between. Elsewhere it returns at once.
  ///
  /// Long work on a loop calls it between its pieces. `Task.yield()` does not do: it puts a task behind the jobs of the same
  /// turn.
  package static func giveWay() async {
    guard let loop = current, loop.isTurnLong else { return }
    await withUnsafeContinuation { loop.waitingForTurn.append($0) }
  }

  /// Whether this turn has taken the time that long work may take of it.
  private var isTurnLong: Bool { Self.monotonicNow() - now > Self.longTurn }

  /// Lets tasks that have waited go on, in their order, until the turn is a long one; the first one in any case.
  private func goOnWithLongWork() {
    guard !waitingForTurn.isEmpty else { return }
    var count = 0
    // Tasks that wait again meanwhile come after the others.
    for _ in waitingForTurn.indices {
      waitingForTurn[count].resume()
      count += 1
      runReadyJobs()
      if isTurnLong { break }
    }
    waitingForTurn.removeFirst(count)
  }

  private func handleEvents(_ eventCount: Int) {
    now = Self.monotonicNow()
    for index in 0..<eventCount {
      let (descriptor, events) = poller[index]
      if descriptor == wakeup.descriptor {
        openInbox()
      } else if watchers.indices.contains(Int(descriptor)), let watcher = watchers[Int(descriptor)] {
        // If the descriptor has been closed and reused since the events were reported, its new watcher finds nothing to
        // read, which does no harm.
        watcher.handle(events)
        // Jobs run at once, while the bytes that were read are in the processor's cache.
        runReadyJobs()
      }
    }
  }

  private func openInbox() {
    wakeup.clear()
    var jobs = takeReadyJobs()
    let work = inbox.withLock { $0.take(into: &jobs) }
    readyJobs = jobs
    for body in work { body() }
  }

  /// Runs the jobs that are ready and the jobs that they make ready, for a bounded number of rounds.
  private func runReadyJobs() {
    for _ in 0..<Self.jobRoundLimit where !readyJobs.isEmpty {
      var jobs = takeReadyJobs()
      swap(&readyJobs, &spareJobs)
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      jobs.removeAll(keepingCapacity: true)
      spareJobs = jobs
    }
  }

  /// Moves the ready jobs out; the caller must store the array back.
  ///
  /// An array that is changed in place is checked for exclusive access at every use.
  private func takeReadyJobs() -> [UnownedJob] {
    var jobs: [UnownedJob] = []
    swap(&jobs, &readyJobs)
    return jobs
  }

  /// The longest time that the next wait may take.
  private var waitMilliseconds: Int32 {
    guard readyJobs.isEmpty, waitingForTurn.isEmpty else { return 0 }
    var deadline = Int64.max
    for client in clients { deadline = min(deadline, client.nextDeadline) }
    guard deadline < .max else { return -1 }
    return Int32(clamping: (max(0, deadline - now) + 999_999) / 1_000_000)
  }

  /// The present time on the clock of all loops, in nanoseconds.
  package static func monotonicNow() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static let jobRoundLimit = 32
  /// Nanoseconds of a turn after which long work waits for the next one.
  private static let longTurn: Int64 = 2_000_000
}
