import Synchronization
import Testing
import TimeclockDomain

@Suite("Turns")
struct TurnsTests {
  @Test("keep work for one key apart, and are given back where it fails")
  func oneAtATime() async throws {
    struct Failure: Error {}
    let turns = Turns<Int>()
    let state = Mutex((running: [0, 0], most: [0, 0], done: 0))
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          let key = number % 2
          try? await turns.inTurn(for: key) {
            state.withLock {
              $0.running[key] += 1
              $0.most[key] = max($0.most[key], $0.running[key])
            }
            for _ in 0..<5 { await Task.yield() }
            state.withLock {
              $0.running[key] -= 1
              $0.done += 1
            }
            if number % 3 == 0 { throw Failure() }
          }
        }
      }
    }
    let (most, done) = state.withLock { ($0.most, $0.done) }
    #expect(most == [1, 1])
    #expect(done == 200)
  }

  @Test("let other keys pass")
  func others() async {
    let turns = Turns<String>()
    let value = await turns.inTurn(for: "a") { await turns.inTurn(for: "b") { 1 } }
    #expect(value == 1)
  }
}
