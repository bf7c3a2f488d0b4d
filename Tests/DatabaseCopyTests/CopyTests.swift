import DatabaseCopy
import Foundation
import PostgreSQLTestCluster
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("A copy")
struct CopyTests {
  @Test("A copy to PostgreSQL and back, and on to another of each, keeps every row the same")
  func roundTrip() async throws {
    let folder = try TestFolder()
    let source = try await SourceDatabase(in: folder)
    let (first, second) = (try Place.newPostgreSQL(), try Place.newPostgreSQL())
    defer { for place in [first, second] { place.remove() } }
    let (back, last) = (folder.file("back.db"), folder.file("last.db"))
    let results = try [
      Place.sqlite(source.path).copy(to: first), first.copy(to: second), second.copy(to: .sqlite(back)),
      Place.sqlite(back).copy(to: .sqlite(last)),
    ]
    #expect(Set(results.map(\.checksum)).count == 1)
    let expected = try dump(source.path)
    #expect(try dump(back) == expected)
    #expect(try dump(last) == expected)
    for (table, count) in results[0].rowCounts {
      #expect(Int64(expected[table]?.count ?? 0) == count && count > 0, "\(table)")
    }
  }

  @Test("A copy answers as its source does, and takes new rows")
  func use() async throws {
    let folder = try TestFolder()
    let source = try await SourceDatabase(in: folder)
    let place = try Place.newPostgreSQL()
    defer { place.remove() }
    try Place.sqlite(source.path).copy(to: place)
    let before = try await Answers(source, in: .sqlite(source.path))
    #expect(try await Answers(source, in: place) == before)
    #expect(try await epoch(in: place) != epoch(in: .sqlite(source.path)))
    try await addOneOfEach(source, to: place)
    let back = Place.sqlite(folder.file("back.db"))
    try place.copy(to: back)
    try await addOneOfEach(source, to: back)
  }

  private func epoch(in place: Place) async throws -> LogEpoch {
    let storage = try place.open()
    let epoch = try await storage.logEnd(of: OrganizationKey(1)).epoch
    await storage.close()
    return epoch
  }

  /// Fails if a new row gets the number of an existing one.
  private func addOneOfEach(_ source: SourceDatabase, to place: Place) async throws {
    let storage = try place.open()
    do {
      for _ in 0..<3 { try await source.addOneOfEach(to: storage) }
    } catch {
      await storage.close()
      throw error
    }
    await storage.close()
  }

  @Test(
    "A copy of one organization has nothing of another, and grants no access that was not granted",
    arguments: [true, false])
  func oneOrganization(isOther: Bool) async throws {
    let folder = try TestFolder()
    let source = try await SourceDatabase(in: folder)
    let (chosen, left) = isOther ? (source.other, source.organization) : (source.organization, source.other)
    let place = try Place.newPostgreSQL()
    defer { place.remove() }
    let back = folder.file("back.db")
    try Place.sqlite(source.path).copy(to: place, organization: chosen)
    try place.copy(to: .sqlite(back), organization: chosen)
    var expected = try dump(source.path, organization: isOther ? 2 : 1)
    // Ana is in both organizations, and her account is copied as it is; the others are in one.
    expected["users"]?.removeAll { !$0.hasPrefix("1,") && !$0.hasPrefix(isOther ? "2," : "40,") }
    expected["idempotency_keys"] = []
    // One that ends with a log-in, which is of no organization.
    expected["push_targets"]?.removeAll { $0.hasPrefix("902,") }
    #expect(try dump(back) == expected)
    let storage = try place.open()
    let tokens = [source.logIn, source.apiToken, source.otherApiToken]
    var isGood: [Bool] = []
    for token in tokens {
      let here = try await storage.authenticate(token, organizationID: chosen, at: SourceDatabase.now)
      let elsewhere = try await storage.authenticate(token, organizationID: left, at: SourceDatabase.now)
      isGood.append(here?.membership != nil)
      #expect(elsewhere?.membership == nil)
    }
    await storage.close()
    #expect(isGood == [false, !isOther, isOther])
  }
}

/// A storage's answers about the source's data.
private struct Answers: Equatable {
  let entries: [TimeEntry]
  let members: [Member]
  let apiTokens: [ApiToken]
  let organization: Organization
  let isLogInGoodElsewhere: Bool

  init(_ source: SourceDatabase, in place: Place) async throws {
    let storage = try place.open()
    do {
      guard
        let member = try await storage.authenticate(
          source.logIn, organizationID: source.organization, at: SourceDatabase.now)?.membership
      else { throw Missing() }
      let key = member.key.organization
      entries = try await storage.timeEntries(
        TimeEntryQuery(
          organization: key, user: nil, range: .dates(from: nil, through: nil), status: nil, session: nil,
          cursor: nil, limit: 1_000)
      ).elements
      members = try await storage.members(
        of: key, after: nil, limit: 1_000
      ).elements
      apiTokens = try await storage.apiTokens(of: key, after: nil, limit: 1_000).elements
      organization = try await storage.organization(key)
      isLogInGoodElsewhere =
        try await storage.authenticate(source.logIn, organizationID: source.other, at: SourceDatabase.now)?
        .membership != nil
    } catch {
      await storage.close()
      throw error
    }
    await storage.close()
  }
}
