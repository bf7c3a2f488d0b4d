import PostgreSQLTestCluster
import Procedures
import StorageCalls
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// Organizations that are on their way to another cell, or have moved there.
@Suite("An organization that departs")
struct DepartureTests {
  private static let address = "https://two.example"

  /// Two offices in one database, of which the first departs.
  private static func run(
    _ test: (TestDatabase, PostgreSQLStorage, _ departing: TestOffice, _ staying: TestOffice) async throws ->
      Void
  ) async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let offices = [try await TestOffice(in: storage), try await TestOffice(in: storage, number: 2)]
      do {
        try await test(database, storage, offices[0], offices[1])
      } catch {
        Issue.record(error)
      }
      await storage.close()
    }
  }

  private static func depart(_ office: TestOffice, to address: String?, in database: TestDatabase) throws {
    let connection = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
    defer { connection.close() }
    let value = address.map { "'\($0)'" } ?? "NULL"
    try connection.execute(
      """
      SET timeclock.organization = 'everyone';
      INSERT INTO organization_departures VALUES (\(office.member.key.organization.value), 'two', \(value))
      ON CONFLICT (organization_id) DO UPDATE SET address = \(value)
      """)
  }

  @Test("takes no writes while it moves, and is read; nothing of it is served once it has moved")
  func refusals() async throws {
    try await Self.run { database, storage, departing, staying in
      let organization = departing.member.key.organization
      try Self.depart(departing, to: nil, in: database)
      await #expect(throws: TimeclockError.organizationMoving) { try await departing.keep(0) }
      #expect(try await storage.organization(organization).id == departing.organization.id)
      try await staying.keep(0)
      try Self.depart(departing, to: Self.address, in: database)
      let moved = TimeclockError.organizationMoved(address: Self.address)
      await #expect(throws: moved) { try await storage.organization(organization) }
      // From here on the refusal is repeated for a second.
      await #expect(throws: moved) { try await departing.keep(0) }
      await #expect(throws: moved) { try await storage.organization(organization) }
      try await staying.keep(1)
      #expect(database.log.withLock { $0 } == [])
    }
  }

  @Test("does not spoil the writes and reads of others that share its round trip")
  func batches() async throws {
    try await Self.run { database, storage, departing, staying in
      try Self.depart(departing, to: Self.address, in: database)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          let office = number.isMultiple(of: 4) ? departing : staying
          group.addTask {
            do {
              _ = try await storage.organization(office.member.key.organization)
              return true
            } catch TimeclockError.organizationMoved {
              return false
            }
          }
        }
        var answered = 0
        for try await isAnswered in group where isAnswered { answered += 1 }
        #expect(answered == 30)
      }
    }
  }

  @Test("is not looked at by the service's own work, but its changes are sealed")
  func ownWork() async throws {
    try await Self.run { database, storage, departing, _ in
      let organization = departing.member.key.organization
      try await departing.keep(0)
      try Self.depart(departing, to: nil, in: database)
      try await storage.sealAll()
      #expect(try await storage.unsealedChanges(of: organization).waitingCount == 0)
      #expect(try await storage.logEnd(of: organization).sequence > 0)
    }
  }
}
