import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("Accounts of older versions, in an SQLite file")
struct EmailKeyTests {
  /// The keys that older versions stored, each account's as it wrote its address.
  private static let former = [
    "jÖrg@x.example", "rené@x.example", "rene\u{301}@x.example", "RENÉ@x.example", "a@mÜnchen.example",
    "b@xn--mnchen-3ya.example", "b@münchen.example", "c\u{200B}@x.example", "o'neil@x.example",
  ]
  private static let present = [
    "jörg@x.example", "rené@x.example", "rene\u{301}@x.example", "renÉ@x.example", "a@xn--mnchen-3ya.example",
    "b@xn--mnchen-3ya.example", "b@münchen.example", "c\u{200B}@x.example", "o'neil@x.example",
  ]

  @Test(
    "get the keys of their addresses at the start, but for those whose address another one has, which are reported"
  )
  func update() async throws {
    let database = try TestDatabase()
    let before = try database.open()
    let office = try await TestOffice(in: before)
    var ids: [UserID] = []
    for (place, key) in Self.former.enumerated() {
      let id: UserID = TestOffice.identifiers.next(at: TestDatabase.now)
      ids.append(id)
      _ = try await before.writer.write { transaction in
        try transaction.connection.statement(
          """
          INSERT INTO users (user_id, id, email, email_key, name, created_at) VALUES (?1, ?2, ?3, ?4, 'A', 0)
          """
        ).run([
          .integer(Int64(100 + place)), .identifier(id), .text(key), .text(EmailKeyTests.lowercased(key)),
        ])
      }
    }
    await before.close()
    #expect(database.reports.withLock { $0 } == [])
    for start in 1...2 {
      let storage = try database.open()
      let keys = try storage.read { connection in
        try connection.statement("SELECT email_key FROM users WHERE user_id >= 100 ORDER BY user_id")
          .all([]) { $0.text(0) }
      }
      #expect(keys.map { Array($0.utf8) } == Self.present.map { Array($0.utf8) })
      // Each logs in with its own spelling, and those with an older account's address only so.
      for (key, id) in zip(Self.former, ids) {
        let email = try #require(EmailAddress(ofAccount: key))
        #expect(try await storage.logInAccount(for: email)?.user.id == id, "\(key)")
      }
      #expect(try await storage.logInAccount(for: EmailAddress("JÖRG@x.example"))?.user.id == ids[0])
      #expect(try await storage.logInAccount(for: EmailAddress("Rene\u{301}@x.example"))?.user.id == ids[2])
      #expect(try await storage.logInAccount(for: EmailAddress("B@MÜNCHEN.example"))?.user.id == ids[5])
      let reports = database.reports.withLock { $0 }
      #expect(reports.count == start)
      let report = try #require(reports.last)
      #expect(report.hasPrefix("3 accounts have e-mail addresses that are those of other accounts"))
      for place in [2, 3, 6] { #expect(report.contains(ids[place].text)) }
      #expect(!report.contains("@"))
      // Nobody new gets an address of theirs.
      let context = ChangeContext.test()
      for email in ["Rene\u{301}@x.example", "RENÉ@x.example", "b@münchen.example"] {
        await #expect(throws: TimeclockError.emailInUse) {
          _ = try await storage.createMember(
            NewAccount(
              userID: TestOffice.identifiers.next(at: TestDatabase.now), email: EmailAddress(email),
              name: "New",
              passwordHash: PasswordHash(text: "x")),
            NewMember(organization: office.member.key.organization, role: .member, timeZone: nil),
            context: context)
        }
      }
      await storage.close()
    }
    // Once the others have given way, the address is theirs.
    let storage = try database.open()
    try await storage.writer.write { transaction in
      try transaction.connection.execute("DELETE FROM users WHERE user_id IN (101, 103, 105)")
    }
    await storage.close()
    database.reports.withLock { $0 = [] }
    let after = try database.open()
    #expect(database.reports.withLock { $0 } == [])
    #expect(try await after.logInAccount(for: EmailAddress("rené@x.example"))?.user.id == ids[2])
    await after.close()
  }

  /// As older versions folded addresses.
  private static func lowercased(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
