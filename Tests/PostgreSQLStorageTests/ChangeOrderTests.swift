import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// Why the feed has an order of its own: numbers are given out before the commit, and are not the order of commits.
@Suite("The order of changes in PostgreSQL")
struct ChangeOrderTests {
  @Test(
    "following change numbers skips a change that is committed late, following the feed does not")
  func lateCommit() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      var numbers = NumberFollower(database: database)
      var feed = FeedFollower(storage: storage, organization: office.member.key.organization)
      _ = try numbers.next()
      _ = try await feed.next()

      // The first change gets its number, and its transaction stays open while a second one comes and is read.
      let slow = try database.connectAsAdministrator()
      defer { slow.close() }
      try slow.execute("SET idle_in_transaction_session_timeout = 0; BEGIN")
      let first = try #require(try slow.execute(Self.slowChange).flatMap { Int64($0) })
      try await office.keep(0)
      let second = try numbers.next()
      #expect(second.count == 1 && first < second[0])
      #expect(try await feed.next() == ["test"])

      try slow.execute("COMMIT")
      // It is there, and behind the reader of numbers for ever.
      #expect(try numbers.next() == [])
      #expect(try database.execute("SELECT count(*) FROM changes WHERE change_number = \(first)") == "1")
      #expect(try await feed.next() == ["slow"])

      // Nothing comes twice, and the next change comes to both.
      try await office.keep(2)
      #expect(try numbers.next().count == 1)
      #expect(try await feed.next() == ["test"])
      await storage.close()
    }
  }

  /// The rows of a write, with the last change as its content.
  private static let slowChange = """
    WITH logged AS (
      INSERT INTO changes (organization_id, time, author_means, operation, salt, kind, resource, resource_id, before, after)
      SELECT organization_id, time, author_means, 'slow', salt, kind, resource, resource_id, before, after
      FROM changes ORDER BY change_number DESC LIMIT 1 RETURNING organization_id, change_number)
    INSERT INTO unsealed_changes SELECT * FROM logged RETURNING change_number
    """
}

/// Follows changes the naive way: those with a number above the highest one seen.
private struct NumberFollower {
  let database: TestDatabase
  private var last: Int64 = 0

  init(database: TestDatabase) {
    self.database = database
  }

  /// The numbers of new changes.
  mutating func next() throws -> [Int64] {
    let answer = try database.execute(
      "SELECT string_agg(change_number::text, ',' ORDER BY change_number) FROM changes WHERE change_number > \(last)"
    )
    let numbers = answer.split(separator: ",").compactMap { Int64($0) }
    last = numbers.last ?? last
    return numbers
  }
}

/// Follows the feed, as a client of `listChanges` does.
private struct FeedFollower {
  let storage: PostgreSQLStorage
  let organization: OrganizationKey
  private var last: Int64 = 0

  init(storage: PostgreSQLStorage, organization: OrganizationKey) {
    self.storage = storage
    self.organization = organization
  }

  /// The operations of new changes.
  mutating func next() async throws -> [String] {
    let changes = try await storage.changes(
      of: organization, after: last, resources: Set(Snapshot.Kind.allCases), limit: 1_000)
    last = changes.last?.sequence ?? last
    return changes.map(\.context.operation)
  }
}
