import Foundation
import GRDB
import HTTPTypes
import Hummingbird

// reference DATABASE PORT: the routes of ../limit.c.

let pool = try DatabasePool(path: CommandLine.arguments[1])

// DatabasePool sets synchronous=NORMAL on its writer after it has prepared the connection, so FULL is set afterwards.
try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }

func now() -> String {
  Date().ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true))
}

func member(_ request: Request) throws -> (organization: Int64, user: Int64) {
  func number(_ field: String) -> Int64? {
    HTTPField.Name(field).flatMap { request.headers[$0] }.flatMap { Int64($0) }
  }
  guard let organization = number("x-org-id"), let user = number("x-user-id") else {
    throw HTTPError(.unauthorized, message: "no member is named")
  }
  return (organization, user)
}

func activeEntry(of member: (organization: Int64, user: Int64), in database: Database) throws -> Entry? {
  try Entry.fetchOne(
    database,
    sql: "SELECT * FROM time_entries WHERE organization_id = ? AND user_id = ? AND status = 'clocked-in'",
    arguments: [member.organization, member.user])
}

let router = Router()

router.post("/clock-in") { request, context -> EditedResponse<Entry> in
  let (organization, user) = try member(request)
  let content = try await request.decode(as: ClockIn.self, context: context)
  let now = now()
  let new = Entry(
    id: UUID().uuidString.lowercased(), organizationId: organization, userId: user, clockIn: now,
    clockOut: nil,
    date: String(now.prefix(10)), status: "clocked-in", sessionId: content.sessionId, notes: content.notes,
    createdAt: now, updatedAt: now)
  do {
    let saved = try await pool.write { database in
      var entry = new
      try entry.insert(database)
      return entry
    }
    return EditedResponse(status: .created, response: saved)
  } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
    throw HTTPError(.conflict, message: "clocked in already")
  }
}

router.post("/clock-out") { request, _ -> Entry in
  let member = try member(request)
  let now = now()
  let closed = try await pool.write { database -> Entry? in
    guard var entry = try activeEntry(of: member, in: database) else { return nil }
    entry.clockOut = now
    entry.status = "clocked-out"
    entry.updatedAt = now
    try entry.update(database)
    return entry
  }
  guard let closed else { throw HTTPError(.conflict, message: "not clocked in") }
  return closed
}

router.get("/current") { request, _ -> Entry in
  let member = try member(request)
  guard let entry = try await pool.read({ try activeEntry(of: member, in: $0) }) else {
    throw HTTPError(.notFound, message: "not clocked in")
  }
  return entry
}

router.get("/entries") { request, _ -> EntryList in
  let (organization, user) = try member(request)
  let query = request.uri.queryParameters
  let from = query["from"].map(String.init) ?? "0000-01-01"
  let to = query["to"].map(String.init) ?? "9999-12-31"
  let entries = try await pool.read { database in
    try Entry.fetchAll(
      database,
      sql: """
        SELECT * FROM time_entries WHERE organization_id = ? AND user_id = ? AND date BETWEEN ? AND ?
        ORDER BY date DESC LIMIT 100
        """,
      arguments: [organization, user, from, to])
  }
  return EntryList(entries: entries, count: entries.count)
}

let application = Application(
  router: router,
  configuration: .init(address: .hostname("127.0.0.1", port: Int(CommandLine.arguments[2])!)))
try await application.runService()
