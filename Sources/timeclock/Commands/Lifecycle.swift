/// The parts of the service that have begun. They stop in the reverse of that order, also after a start that has failed.
struct Lifecycle {
  private var parts: [(end: () -> Void, stop: () async -> Void)] = []

  /// Runs `body`, in which parts begin, and stops them when it has returned or thrown.
  static func run(_ body: (inout Lifecycle) async throws -> Void) async throws {
    var lifecycle = Lifecycle()
    do {
      try await body(&lifecycle)
    } catch {
      await lifecycle.stop()
      throw error
    }
    await lifecycle.stop()
  }

  /// Adds a part that has begun.
  ///
  /// - Parameters:
  ///   - end: Has the part begin nothing more. All parts are ended before any is waited for.
  ///   - stop: Waits for work under way, and releases what the part holds.
  mutating func add(ending end: @escaping () -> Void = {}, stopping stop: @escaping () async -> Void) {
    parts.append((end, stop))
  }

  /// Adds work that has begun.
  mutating func add(_ worker: Worker) {
    add(ending: worker.cancel, stopping: worker.stop)
  }

  private func stop() async {
    for part in parts.reversed() { part.end() }
    for part in parts.reversed() { await part.stop() }
  }
}
