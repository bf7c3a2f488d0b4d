import Testing

@testable import TimeclockDomain

@Suite("Policy")
struct PolicyTests {
  @Test("has the defaults of the contract")
  func defaults() {
    #expect(
      Policy.standard
        == Policy(
          minimumSeconds: 60, maximumSeconds: 57_600, editWindowDays: 30, lookBackHours: 72,
          notesMaximumCharacters: 500))
    #expect(throws: Never.self) { try Policy.standard.validate() }
  }

  @Test(
    "takes each limit at its bounds and refuses it one beyond",
    arguments: [
      (\Policy.editWindowDays, 0...3_650), (\Policy.lookBackHours, 0...8_760),
      (\Policy.notesMaximumCharacters, 0...10_000),
    ] as [(WritableKeyPath<Policy, Int64> & Sendable, ClosedRange<Int64>)])
  func bounds(_ limit: WritableKeyPath<Policy, Int64> & Sendable, _ bounds: ClosedRange<Int64>) {
    for value in [bounds.lowerBound, bounds.upperBound] {
      #expect(throws: Never.self) { try policy(limit, value).validate() }
    }
    for value in [bounds.lowerBound - 1, bounds.upperBound + 1] {
      #expect(throws: TimeclockError.self) { try policy(limit, value).validate() }
    }
  }

  @Test("keeps the minimum below the maximum")
  func order() {
    var policy = Policy.standard
    policy.maximumSeconds = 60
    #expect(throws: TimeclockError.invalidPolicy("minimumSeconds", "must be less than maximumSeconds")) {
      try policy.validate()
    }
    policy.minimumSeconds = 59
    #expect(throws: Never.self) { try policy.validate() }
  }

  private func policy(_ limit: WritableKeyPath<Policy, Int64>, _ value: Int64) -> Policy {
    var policy = Policy.standard
    policy[keyPath: limit] = value
    return policy
  }
}
