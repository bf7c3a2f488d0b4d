/// Runs `body` that many times at once; the outcomes come in the order of their numbers.
func concurrently<Value: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
) async -> [Result<Value, any Error>] {
  await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
    for number in 0..<count {
      group.addTask {
        do {
          return (number, .success(try await body(number)))
        } catch {
          return (number, .failure(error))
        }
      }
    }
    var outcomes: [(Int, Result<Value, any Error>)] = []
    for await outcome in group { outcomes.append(outcome) }
    return outcomes.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
