import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

@Suite("Accounts of older versions, in PostgreSQL")
struct EmailKeyTests {
  @Test(
    "get the keys of their addresses at the start, but for those whose address another one has, which are reported"
  )
  func update() async throws {
    try await TestDatabase.run { database in
      await (try database.open()).close()
      // Earlier lines are another matter.
      let lines = database.log.withLock { $0.count }
      let former = [
        "jÖrg@x.example", "rené@x.example", "rene\u{301}@x.example", "b@mÜnchen.example",
        "b@xn--mnchen-3ya.example",
        "o''neil\\é@x.example", "O''NEIL\\É@x.example",
      ]
      for (place, key) in former.enumerated() {
        let id: UserID = TestOffice.identifiers.next(at: TestDatabase.now)
        try database.execute(
          """
          INSERT INTO users (user_id, id, email, email_key, name, created_at)
          VALUES (\(100 + place), '\(id)', '\(key)', '\(key)', 'A', 0)
          """)
      }
      let expected = [
        "jörg@x.example", "rené@x.example", "rene\u{301}@x.example", "b@mÜnchen.example",
        "b@xn--mnchen-3ya.example",
        "o'neil\\é@x.example", "O'NEIL\\É@x.example",
      ]
      for start in 1...2 {
        let storage = try database.open()
        let keys = try database.execute("SELECT email_key FROM users WHERE user_id >= 100 ORDER BY user_id")
        #expect(keys.split(separator: "\n").map { Array($0.utf8) } == expected.map { Array($0.utf8) })
        let reports = database.log.withLock { $0.dropFirst(lines) }.filter { $0.contains("e-mail addresses") }
        #expect(reports.count == start)
        #expect(
          reports.last?.hasPrefix("3 accounts have e-mail addresses that are those of other accounts") == true
        )
        for place in [102, 103, 106] {
          let id = try database.execute("SELECT id FROM users WHERE user_id = \(place)")
          #expect(reports.last?.contains(id.split(separator: "\n").joined()) == true)
        }
        let ids = try [(100, "JÖRG@x.example"), (101, "RENÉ@x.example"), (102, "rene\u{301}@X.example")].map {
          (
            $0.1,
            try database.execute("SELECT id FROM users WHERE user_id = \($0.0)").split(separator: "\n")
              .joined()
          )
        }
        for (email, id) in ids {
          #expect(try await storage.logInAccount(for: EmailAddress(email))?.user.id.text == id, "\(email)")
        }
        await storage.close()
      }
    }
  }

  @Test("Personnel numbers are compared byte by byte, whatever collation the database has")
  func personnelNumbers() async throws {
    try await TestDatabase.run { database in
      await (try database.open()).close()
      let definition = try database.execute(
        "SELECT indexdef FROM pg_indexes WHERE indexname = 'members_by_personnel_number'")
      #expect(definition.contains("COLLATE \"C\""))
    }
  }
}
