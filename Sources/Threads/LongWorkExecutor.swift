import Synchronization

/// The executor of tasks whose steps take the processor for long: their work between two waits runs on a few threads
/// that run behind all others, and never on an event loop.
///
/// A task that prefers it still waits for storages and connections as elsewhere. How many tasks do so at once is
/// limited by the places of their operations; the steps of all of them are done in the order in which they become
/// ready.
package final class LongWorkExecutor: TaskExecutor {
  /// The threads of this process. They start with the first use, and go with the process.
  package static let shared = LongWorkExecutor(threadCount: 2)

  private let jobs = WorkQueue<UnownedJob>()
  /// Whether there is a thread; the system may have refused to start one.
  private let hasThreads = Atomic(false)

  private init(threadCount: Int) {
    for _ in 0..<threadCount {
      let thread = try? NamedThread(name: "long-work", precedence: .behind) { [self] in
        while let job = jobs.takeFirst() { job.runSynchronously(on: asUnownedTaskExecutor()) }
      }
      guard let thread else { continue }
      thread.detach()
      hasThreads.store(true, ordering: .relaxed)
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    guard hasThreads.load(ordering: .relaxed) else { return globalConcurrentExecutor.enqueue(job) }
    _ = jobs.append(UnownedJob(job))
  }

  /// Does work on these threads, and continues on the executor that the caller's task prefers.
  ///
  /// Functions of this package run where their callers do (SE-0461), so a preference alone moves nobody before the next
  /// suspension: both yields do.
  package static func run<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    do {
      let value = try await withTaskExecutorPreference(shared) {
        await Task.yield()
        return try await work()
      }
      await Task.yield()
      return value
    } catch {
      await Task.yield()
      throw error
    }
  }
}
