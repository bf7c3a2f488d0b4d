/// Runs asynchronous code to its end on the calling thread, for code that never suspends.
///
/// `@unchecked Sendable`: the jobs come from the task that `run` makes, on the thread that calls it.
final class InPlaceExecutor: TaskExecutor, @unchecked Sendable {
  private var jobs: [UnownedJob] = []

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.append(UnownedJob(job))
  }

  private func drain() {
    while !jobs.isEmpty {
      jobs.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Runs `body`, which calls nothing that suspends: it would continue when its resources are gone, so that is a fault
  /// of this program, and ends it.
  static func run<Value>(_ body: () async throws -> Value) throws -> Value {
    let executor = InPlaceExecutor()
    nonisolated(unsafe) var result: Result<Value, any Error>?
    withoutActuallyEscaping(body) { body in
      nonisolated(unsafe) let body = body
      Task(executorPreference: executor) {
        do { result = .success(try await body()) } catch { result = .failure(error) }
      }
      executor.drain()
    }
    guard let result else { preconditionFailure("A procedure on records suspended.") }
    return try result.get()
  }
}
