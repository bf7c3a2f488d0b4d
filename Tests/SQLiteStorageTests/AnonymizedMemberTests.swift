import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("An anonymized member")
struct AnonymizedMemberTests {
  /// The columns that do not identify the person. Every other column of the catalog, also one that a migration has
  /// added, has to be taken away.
  private static let kept: Set = [
    "organization_id", "user_id", "member_number", "role", "active", "accepted", "version", "created_at",
    "updated_at", "anonymized_at",
  ]
  private static let word = "Tongatapu"
  /// The columns that cannot be any word.
  private static let values = ["time_zone": "Pacific/Tongatapu", "language": "fr"]

  @Test("leaves nothing about the person: in no column, not in the answer, not in the log")
  func nothingLeft() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    let organization = office.member.key.organization
    let account = NewAccount(
      userID: TestOffice.identifiers.next(at: TestDatabase.now), email: try EmailAddress("b@example.com"),
      name: "Bo", passwordHash: nil)
    let member = NewMember(organization: organization, role: .manager, timeZone: nil, isActive: false)
    _ = try await storage.createMember(account, member, context: .test())
    let columns = try await storage.writer.write { transaction in
      let all = try transaction.connection.statement("SELECT name FROM pragma_table_info('members')")
        .all([]) { $0.text(0) }
      let columns = all.filter { !Self.kept.contains($0) }
      let values = columns.map { "\($0) = '\(Self.values[$0] ?? Self.word)'" }
      try transaction.connection.execute(
        "UPDATE members SET \(values.joined(separator: ", ")) WHERE role = 'manager'")
      return columns
    }
    #expect(Set(columns).isSuperset(of: ["name", "email", "time_zone", "language", "personnel_number"]))
    let before = try await storage.member(account.userID, in: organization)
    #expect(String(describing: before).contains(Self.word))

    let answer = try await storage.anonymizeMember(account.userID, in: organization, context: .test())
    #expect(!String(describing: answer).contains(Self.word) && answer.language == nil)
    for change in try await storage.storedChanges(of: organization, after: 0, limit: 10) {
      #expect(!String(describing: change.content).contains(Self.word))
    }
    let left = try await storage.writer.write { transaction in
      try columns.filter { column in
        let value = try transaction.connection.text("SELECT \(column) FROM members WHERE role = 'manager'")
        return value.contains(Self.word) || value == Self.values[column]
      }
    }
    #expect(left == [], "columns that still tell")
    await storage.close()
  }
}
