import Synchronization
import Threads

/// A thread that writes the database's file to disk beside the writer, so that the checkpoint which moves the last part
/// of the log, and waits for the disk, finds little left to wait for.
///
/// Nothing relies on its success: SQLite syncs the file itself before the log restarts. But a failure is reported once
/// to each descriptor of the file, and means that the file lacks data that memory has.
final class BackgroundSync: Sendable {
  private let queue = WorkQueue<Void>()
  private let thread: NamedThread
  private let state: State

  private final class State: Sendable {
    let isRunning = Atomic(false)
    let failure = Atomic<Int32>(0)
  }

  /// - Parameter sync: Writes the file to disk; returns 0, or the number of the system's error.
  /// - Throws: `ThreadStartError`.
  init(_ sync: @escaping @Sendable () -> Int32) throws {
    let state = State()
    self.state = state
    thread = try NamedThread(name: "sqlite-sync") { [queue] in
      while queue.takeFirst() != nil {
        let failure = sync()
        if failure != 0 { state.failure.store(failure, ordering: .relaxed) }
        state.isRunning.store(false, ordering: .releasing)
      }
    }
  }

  /// Begins to write the file's present content to disk, unless the thread is at it.
  func start() {
    guard !state.isRunning.exchange(true, ordering: .acquiring) else { return }
    if !queue.append(()) { state.isRunning.store(false, ordering: .releasing) }
  }

  /// Whether the thread waits for the disk.
  var isRunning: Bool { state.isRunning.load(ordering: .acquiring) }

  /// The number of the system's error, if writing has failed; each failure is returned once.
  func takeFailure() -> Int32? {
    guard !isRunning else { return nil }
    let failure = state.failure.exchange(0, ordering: .relaxed)
    return failure == 0 ? nil : failure
  }

  /// Ends the thread. Call it once, before the database is released.
  func close() {
    queue.close()
    thread.join()
  }
}
