import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

@Suite("A punch that is taken back at one instance on PostgreSQL")
struct PunchUndoRaceTests {
  @Test("is before or after the next punch at another, and never both")
  func race() async throws {
    try await TestDatabase.run { database in
      let (one, other) = (try database.open(), try database.open())
      let office = try await TestOffice(in: one)
      for round in 0..<12 {
        let member = try await office.addMember(round)
        let entry = try await office.keep(0, isActive: true, of: member)
        let punch = IdempotencyKey(
          digest: Array(repeating: UInt8(round + 1), count: 32), user: member.key.user)
        let time = TestDatabase.now.adding(milliseconds: 60_000)
        let key = PunchKey(key: punch, fingerprint: Array(repeating: 1, count: 32))
        let closed = try await one.clockOut(
          ClockOut(
            member: member.key, time: time, isStated: true, notes: nil, policy: .standard, context: .test()),
          recording: key.recording(at: time) {
            PunchMemory(
              effect: PunchEffect(timeEntryID: $0.timeEntry.id), appliedAt: time, rows: $0.rows)
          })
        let next = office.entry(2, isActive: true, of: member)
        async let begins = Self.isDone { _ = try await other.createTimeEntry(next) }
        let isUndone = try await Self.isDone {
          try await one.undoPunch(
            PunchUndo(
              punch: punch, member: member.key,
              context: ChangeContext(author: .service, operation: "undoPunch", time: time)))
        }
        #expect(try await begins != isUndone)
        let first = try #require(try await other.timeEntry(entry.id, in: member.key.organization))
        let active = try #require(try await other.activeTimeEntry(of: member.key))
        #expect(active.id == (isUndone ? entry.id : next.entry.id))
        #expect(first.clockOutTime == (isUndone ? nil : closed.clockOutTime))
      }
      await one.close()
      await other.close()
    }
  }

  /// Whether something is done; it is refused if the other came first.
  private static func isDone(_ body: () async throws -> Void) async throws -> Bool {
    do {
      try await body()
      return true
    } catch let refusal as TimeclockError {
      if case .alreadyClockedIn = refusal { return false }
      guard refusal == .punchSuperseded else { throw refusal }
      return false
    }
  }
}
