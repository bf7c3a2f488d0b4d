/// Work that goes on beside the requests: a pass, a pause as long as the pass says, and the next pass, until it is stopped.
struct Worker: Sendable {
  private let task: Task<Void, Never>

  /// Starts the work, on Swift's own pool.
  ///
  /// - Parameters:
  ///   - delay: The time until the first pass.
  ///   - sleep: Waits for the given time, or throws when the task is canceled.
  ///   - pass: Does the waiting work, and returns the time until the next pass. Tasks that it adds to the group run
  ///     beside the next passes; they are canceled and waited for with them.
  init(
    after delay: Duration = .zero,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    _ pass: sending @escaping (inout DiscardingTaskGroup) async -> Duration
  ) {
    task = Task {
      await withDiscardingTaskGroup { group in
        var pause = delay
        while (try? await sleep(pause)) != nil, !Task.isCancelled { pause = await pass(&group) }
        group.cancelAll()
      }
    }
  }

  /// Begins no further pass.
  func cancel() {
    task.cancel()
  }

  /// Begins no further pass, and waits for work under way.
  func stop() async {
    task.cancel()
    await task.value
  }
}
