import Synchronization

/// The instant by which the storage has to answer the present task's calls, all of them together.
///
/// Each call of a storage has limits of its own; a request that makes several would wait for their sum.
package final class StorageDeadline: Sendable {
  /// Nil for as long as each call's own limits let it take.
  @TaskLocal package static var current: StorageDeadline?

  /// The time that one request may wait for the storage.
  package static let ofRequest: Duration = .milliseconds(9_500)

  private let instant: Mutex<ContinuousClock.Instant>

  /// A deadline that is `time` from now.
  package init(_ time: Duration) {
    instant = Mutex(.now + time)
  }

  /// Gives the present task as much time as a request has, from now on: for work in parts that are kept one by one.
  package static func restart() {
    current?.instant.withLock { $0 = .now + ofRequest }
  }

  /// The instant of the deadline.
  package var end: ContinuousClock.Instant { instant.withLock { $0 } }

  /// Runs work that has nothing to do with the storage, and takes so long that it must not count as waiting for it:
  /// the present task's deadline moves by as long.
  package nonisolated(nonsending) static func suspended<Value>(
    during work: () async throws -> Value
  ) async rethrows -> Value {
    guard let current else { return try await work() }
    let start = ContinuousClock.now
    defer { current.instant.withLock { $0 += .now - start } }
    return try await work()
  }
}
