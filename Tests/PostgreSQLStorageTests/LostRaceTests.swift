import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// A clock-in that was slower than another one, and the later fate of that one.
@Suite("A clock-in that loses a race on PostgreSQL")
struct LostRaceTests {
  /// The entry that refused the clock-in has ended when it is asked for, and the next one has begun behind the question.
  @Test("names the entry that is open, which began behind the question for one")
  func newcomer() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      let scope = RowScope.organization(office.member.key.organization)
      try await office.keep(0, isActive: true)
      let statements = TimeEntryStatements(
        read: { statement, values in
          let isQuestion = statement === TimeEntryRows.active
          if isQuestion {
            _ = try await storage.clockOut(
              ClockOut(
                member: office.member.key, time: TestDatabase.now.adding(milliseconds: 60_000),
                isStated: true,
                notes: nil, policy: .standard, context: .test()))
          }
          let rows = try await storage.read(statement, values, in: scope)
          if isQuestion { try await office.keep(4, isActive: true) }
          return rows
        },
        write: { statement, values in
          try await storage.write(
            statement, values, in: scope, lockOrder: WaitingQuery.LockOrder(office.member.key))
        },
        closeWithSegments: {
          WrittenEntry(timeEntry: try await storage.clockOut($0, recording: nil), rows: [])
        })
      do {
        _ = try await statements.create(office.entry(5, isActive: true))
        Issue.record("the member is clocked in")
      } catch TimeclockError.alreadyClockedIn(let active) {
        #expect(active.clockInTime == TestDatabase.now.adding(milliseconds: 4 * 60_000))
      }
      await storage.close()
    }
  }
}
