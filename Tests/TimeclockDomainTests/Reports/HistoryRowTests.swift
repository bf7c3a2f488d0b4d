import Testing

@testable import TimeclockDomain

@Suite("Rows of a history")
struct HistoryRowTests {
  @Test(
    "have shares that add up to one",
    arguments: [
      ([], []), ([0, 0], [0, 0]), ([7], [10_000]), ([1, 1], [5_000, 5_000]),
      // Equal rests: the first ones.
      ([1, 1, 1], [3_334, 3_333, 3_333]), ([5, 5, 5, 5, 5, 5], [1_667, 1_667, 1_667, 1_667, 1_666, 1_666]),
      // Unequal ones: the largest, which is the last.
      ([2, 2, 3], [2_857, 2_857, 4_286]), ([1, 0, 0], [10_000, 0, 0]),
      ([1, 99_999], [0, 10_000]), ([1, 19_999], [1, 9_999]), ([3, 19_998], [1, 9_999]),
      ([86_400 * 31 * 100_000, 1], [10_000, 0]),
    ] as [([Int64], [Int64])])
  func shares(_ numbers: [Int64], _ expected: [Int64]) {
    #expect(LargestRemainder.tenThousandths(of: numbers) == expected)
  }

  @Test("never lose or invent a ten-thousandth")
  func sums() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let numbers = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
        Int64.random(in: 0...(Bool.random() ? 3 : 2_678_400), using: &generator)
      }
      let shares = LargestRemainder.tenThousandths(of: numbers)
      let total = numbers.reduce(0, +)
      #expect(shares.reduce(0, +) == (total > 0 ? 10_000 : 0))
      for (number, share) in zip(numbers, shares) where total > 0 {
        // Less than one off the exact part.
        #expect(abs(share * total - number * 10_000) < total)
      }
    }
  }

  private static func task(_ id: UInt64, _ name: String) -> WorkTask {
    WorkTask(
      head: Head(
        id: TaskID(high: 1, low: id), organizationID: OrganizationID(high: 1, low: 1),
        at: Instant(millisecondsSince1970: 0))
    ) { $0.name = name }
  }

  private func rows(of seconds: [UInt64?: Int64], _ tasks: [WorkTask]) -> [String] {
    HistoryRow.rows(
      of: Dictionary(uniqueKeysWithValues: seconds.map { ($0.map { TaskID(high: 1, low: $0) }, $1) }),
      among: Dictionary(uniqueKeysWithValues: tasks.map { ($0.id, $0) })
    ).map { "\($0.subject?.name ?? "–") \($0.subject?.id.low ?? 0) \($0.seconds) \($0.tenThousandths)" }
  }

  @Test("stand by their seconds, then by name and id, and time for nothing is last")
  func order() {
    let tasks = [Self.task(1, "Wax"), Self.task(2, "Oil"), Self.task(4, "Oil"), Self.task(3, "Ink")]
    #expect(
      rows(of: [1: 20, 2: 10, 3: 10, 4: 10, nil: 50], tasks)
        == ["Wax 1 20 2000", "Ink 3 10 1000", "Oil 2 10 1000", "Oil 4 10 1000", "– 0 50 5000"])
  }

  @Test("get what rounding leaves by name, then by id, and time for nothing last")
  func ties() {
    let tasks = [Self.task(1, "Wax"), Self.task(2, "Oil"), Self.task(4, "Oil")]
    #expect(
      rows(of: [1: 1, 2: 1, 4: 1], tasks) == ["Oil 2 1 3334", "Oil 4 1 3333", "Wax 1 1 3333"])
    #expect(rows(of: [1: 1, 2: 1, nil: 1], tasks) == ["Oil 2 1 3334", "Wax 1 1 3333", "– 0 1 3333"])
  }

  @Test("are none without seconds, and a task that is gone is none")
  func none() {
    #expect(rows(of: [1: 0, nil: 0], [Self.task(1, "Wax")]) == [])
    #expect(rows(of: [:], []) == [])
    #expect(rows(of: [1: 3, 9: 4, nil: 3], [Self.task(1, "Wax")]) == ["Wax 1 3 3000", "– 0 7 7000"])
  }
}
