import EventLoops
import Threads

/// A thread that asks the event loops whether they turn, and notifies the supervisor as long as they do.
final class Heartbeat: Sendable {
  private let end = WorkQueue<Void>()
  private let thread: NamedThread

  /// The time between two questions whose answers are measured, in nanoseconds.
  private static let interval = 1_000_000_000

  /// Starts the thread.
  ///
  /// - Parameter isMeasuring: Whether the loops are asked every second, however seldom the supervisor wants to hear.
  /// - Throws: `ThreadStartError`.
  init(_ loops: LoopWatch, _ supervisor: Supervisor?, isMeasuring: Bool) throws {
    let watchdog = supervisor?.watchdogNanoseconds
    // A loop that stalls for half of the time has the rest to come back.
    let patience = watchdog.map { $0 / 2 } ?? .max
    let pause = min(isMeasuring ? Self.interval : .max, watchdog.map { $0 / 4 } ?? .max)
    thread = try NamedThread(name: "heartbeat") { [end] in
      while end.takeAll(timeout: .nanoseconds(pause)) != nil {
        if watchdog != nil, loops.stalls.allSatisfy({ $0 < patience }) { supervisor?.tellAlive() }
        loops.ask()
      }
    }
  }

  /// Ends the thread.
  func stop() {
    end.close()
    thread.join()
  }
}
