import Testing
import TimeclockDomain

@Suite("Turns")
struct TurnsTests {
  private actor Counts {
    private(set) var running = [0, 0]
    private(set) var most = [0, 0]
    private(set) var done = 0

    func begin(_ key: Int) {
      running[key] += 1
      most[key] = max(most[key], running[key])
    }

    func end(_ key: Int) {
      running[key] -= 1
      done += 1
    }
  }

  @Test("keep work for one key apart, and are given back if it fails")
  func oneAtATime() async throws {
    struct Failure: Error {}
    let (turns, counts) = (Turns<Int>(), Counts())
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          try? await turns.inTurn(for: number % 2) {
            await counts.begin(number % 2)
            for _ in 0..<5 { await Task.yield() }
            await counts.end(number % 2)
            if number % 3 == 0 { throw Failure() }
          }
        }
      }
    }
    #expect(await counts.most == [1, 1])
    #expect(await counts.done == 200)
  }

  @Test("let other keys pass")
  func others() async {
    let turns = Turns<String>()
    let value = await turns.inTurn(for: "a") { await turns.inTurn(for: "b") { 1 } }
    #expect(value == 1)
  }
}
