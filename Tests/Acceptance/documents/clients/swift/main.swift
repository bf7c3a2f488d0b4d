// A day with the Swift client of OpenAPI Generator, as `generated_clients.py` builds and runs it.
//
// `work` prints the records made, as JSON; `read-later-version` reads the answers of a later version. The environment
// names addresses, the organization, and its member.

import Foundation
import TimeclockClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The office that the environment describes.
struct Office {
  let api = variable("API")
  let later = variable("LATER")
  let organization = variable("ORGANIZATION")
  let admin = variable("ADMIN")
  let member = variable("MEMBER")
  let email = variable("EMAIL")
  let password = variable("PASSWORD")
}

func variable(_ name: String) -> String {
  guard let value = ProcessInfo.processInfo.environment[name] else { fail("\(name) is not set") }
  return value
}

func fail(_ reason: String, line: Int = #line) -> Never {
  print("main.swift:\(line): \(reason)")
  exit(1)
}

func expect(_ isMet: Bool, _ subject: Any, line: Int = #line) {
  if !isMet { fail("not as expected: \(subject)", line: line) }
}

func configuration(_ address: String, token: String? = nil) -> TimeclockClientAPIConfiguration {
  let fields = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
  return TimeclockClientAPIConfiguration(basePath: address, customHeaders: fields)
}

/// The status and the problem that the call is refused with.
func refused<Problem: Decodable>(
  as type: Problem.Type, line: Int = #line, _ call: () async throws(ErrorResponse) -> some Any
) async -> (status: Int, problem: Problem) {
  do throws(ErrorResponse) {
    let answer = try await call()
    fail("not refused: \(answer)", line: line)
  } catch {
    guard case .error(let status, let content, _, _) = error else { fail("\(error)", line: line) }
    guard let problem = try? CodableHelper().decode(type, from: content ?? Data()).get() else {
      fail("no \(type): \(String(decoding: content ?? Data(), as: UTF8.self))", line: line)
    }
    return (status, problem)
  }
}

/// A date at some days from an instant, in UTC.
func date(_ instant: Date, days: Int = 0) -> OpenAPIDateWithoutTime {
  OpenAPIDateWithoutTime(wrappedDate: instant + Double(days) * 86_400, timezone: .gmt)
}

func work(_ office: Office) async throws -> [String: String] {
  let organization = office.organization
  let granted = try await AuthenticationAPI.createToken(
    createTokenRequest: CreateTokenRequest(email: office.email, password: office.password),
    apiConfiguration: configuration(office.api))
  let client = configuration(office.api, token: granted.token)
  let admin = configuration(office.api, token: office.admin)

  let me = try await AuthenticationAPI.getMe(
    include: [.organization, .current, .sessions], apiConfiguration: client)
  expect(me.memberships.first?.organization?.id == organization && me.memberships[0].sessions == [], me)

  let started = try await TimeEntriesAPI.clockIn(
    organizationID: organization, clockInRequest: ClockInRequest(notes: "opening"), apiConfiguration: client)
  expect(started.status == "clocked-in" && started.clockOutTime == nil, started)
  let again = await refused(as: TimeEntryConflictProblem.self) { () throws(ErrorResponse) in
    try await TimeEntriesAPI.clockIn(organizationID: organization, apiConfiguration: client)
  }
  expect(again.status == 409 && again.problem.code == "already_clocked_in", again)
  expect(again.problem.activeTimeEntry?.id == started.id, again)
  let current = try await TimeEntriesAPI.getCurrentTimeEntry(
    organizationID: organization, apiConfiguration: client)
  expect(current.timeEntry?.id == started.id, current)
  let ended = try await TimeEntriesAPI.clockOut(organizationID: organization, apiConfiguration: client)
  expect(ended.clockOutTime.map { $0 >= started.clockInTime } ?? false, ended)

  let begin = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)) - 30 * 3600
  func shift(from start: Double, to end: Double) -> CreateTimeEntryRequest {
    CreateTimeEntryRequest(clockInTime: begin + start * 3600, clockOutTime: begin + end * 3600)
  }
  let byHand = try await TimeEntriesAPI.createTimeEntryWithRequestBuilder(
    organizationID: organization, createTimeEntryRequest: shift(from: 0, to: 8), apiConfiguration: client
  ).execute()
  let entry = byHand.body
  let outcome = try await TimeEntriesAPI.createTimeEntries(
    organizationID: organization,
    createTimeEntriesRequest: CreateTimeEntriesRequest(
      mode: .partial, timeEntries: [shift(from: 1, to: 9), shift(from: -5, to: -1)]),
    apiConfiguration: client)
  expect(outcome.results.map(\.status) == [409, 201], outcome)
  expect(outcome.results[0].problem?.overlaps?.first?.id == entry.id, outcome)
  guard let kept = outcome.results[1].timeEntry else { fail("no entry in \(outcome)") }

  var seen: [String] = []
  var cursor: String?
  repeat {
    let page = try await TimeEntriesAPI.listTimeEntries(
      organizationID: organization, limit: 1, cursor: cursor, apiConfiguration: client)
    seen += page.timeEntries.map(\.id)
    cursor = page.nextCursor
  } while cursor != nil
  expect(seen.sorted() == [started.id, entry.id, kept.id].sorted(), seen)

  let tag = byHand.header.first { $0.key.lowercased() == "etag" }?.value
  expect(tag != nil, byHand.header)
  let change = UpdateTimeEntryRequest(clockOutTime: begin + 9 * 3600, notes: "left later")
  let changed = try await TimeEntriesAPI.updateTimeEntry(
    organizationID: organization, timeEntryId: entry.id, ifMatch: tag, updateTimeEntryRequest: change,
    apiConfiguration: client)
  expect(changed.durationSeconds == 9 * 3600 && changed.version == entry.version + 1, changed)
  let stale = await refused(as: TimeEntryChangedProblem.self) { () throws(ErrorResponse) in
    try await TimeEntriesAPI.updateTimeEntry(
      organizationID: organization, timeEntryId: entry.id, ifMatch: tag, updateTimeEntryRequest: change,
      apiConfiguration: client)
  }
  expect(stale.status == 412 && stale.problem.current.notes == "left later", stale)
  let cleared = try await TimeEntriesAPI.updateTimeEntry(
    organizationID: organization, timeEntryId: entry.id,
    updateTimeEntryRequest: UpdateTimeEntryRequest(version: changed.version, notes: ""),
    apiConfiguration: client)
  expect(cleared.notes == nil, cleared)

  let day = date(begin, days: 30)
  let session = try await SessionsAPI.createSession(
    organizationID: organization,
    createSessionRequest: CreateSessionRequest(
      date: day, title: "Stocktaking", assignees: [AssigneeRequest(id: office.member)]),
    apiConfiguration: admin)
  expect(session.date.rawValue == day.rawValue, session)
  let own = try await SessionsAPI.listSessions(
    organizationID: organization, assignedTo: "me", apiConfiguration: client)
  let others = try await SessionsAPI.listSessions(
    organizationID: organization, startDate: day, assignedTo: office.member, apiConfiguration: admin)
  expect(own.sessions.map(\.id) == [session.id] && others.sessions.map(\.id) == [session.id], (own, others))

  let report = try await ReportsAPI.reportHours(
    organizationID: organization, startDate: date(begin, days: -2), endDate: date(begin, days: 3),
    groupBy: [.user, .day], attribution: .start, apiConfiguration: admin)
  expect(report.groupBy == ["user", "day"] && report.totals.entries == 3, report)
  expect(report.rows.map(\.seconds).reduce(0, +) == report.totals.seconds, report)

  // A table if JSON is declared: an error that has its bytes.
  do throws(ErrorResponse) {
    let table = try await ReportsAPI.reportHours(
      organizationID: organization, startDate: date(begin), endDate: date(begin), format: .csv,
      apiConfiguration: admin)
    fail("a table was read as \(table)")
  } catch {
    guard case .error(let status, let content?, _, _) = error else { fail("\(error)") }
    let text = String(decoding: content, as: UTF8.self)
    expect(status == 200 && text.contains("regularSeconds"), (status, text))
  }

  for format in [nil, ExportFormat.csv] {
    let csv = try await TimeEntriesAPI.exportTimeEntries(
      organizationID: organization, format: format, durations: .hhMm, apiConfiguration: client)
    let text = String(decoding: csv, as: UTF8.self)
    expect(text.hasPrefix("id,userId,") && text.contains(entry.id) && text.contains("durationTime"), text)
  }
  let lines = try await TimeEntriesAPI.exportTimeEntries(
    organizationID: organization, format: .ndjson, apiConfiguration: client
  ).split(separator: UInt8(ascii: "\n"))
  let exported = try lines.map { try CodableHelper().decode(TimeEntry.self, from: Data($0)).get().id }
  expect(exported.sorted() == seen.sorted(), exported)
  let calendar = try await TimeEntriesAPI.getCalendar(organizationID: organization, apiConfiguration: client)
  expect(calendar.hasPrefix("BEGIN:VCALENDAR"), calendar)

  let people = [
    BulkMemberRequest(email: "bo@example.org", name: "Bo", role: "member"),
    BulkMemberRequest(email: office.email, name: "Again", role: "member"),
  ]
  let tried = try await MembersAPI.createMembers(
    organizationID: organization, createMembersRequest: CreateMembersRequest(dryRun: true, members: people),
    apiConfiguration: admin)
  expect(tried.results[0].member?.name == "Bo" && tried.results[1].problem?.code == "member_exists", tried)
  let refusal = await refused(as: BulkRefusedProblem.self) { () throws(ErrorResponse) in
    try await MembersAPI.createMembers(
      organizationID: organization, createMembersRequest: CreateMembersRequest(members: people),
      apiConfiguration: admin)
  }
  expect(refusal.problem.results?.first?.problem.code == "member_exists", refusal)
  let added = try await MembersAPI.createMembers(
    organizationID: organization, createMembersRequest: CreateMembersRequest(members: [people[0]]),
    apiConfiguration: admin)
  expect(added.created == 1 && added.results[0].member?.email == "bo@example.org", added)

  let changes = try await ChangesAPI.listChanges(
    organizationID: organization, limit: 1000, apiConfiguration: admin
  ).changes
  let ofEntry = changes.filter { $0.resourceId == entry.id }
  expect(ofEntry.map(\.kind) == ["created", "updated", "updated"], ofEntry)
  // The kind says which type it is.
  let helper = CodableHelper()
  let first = try helper.decode(TimeEntry.self, from: helper.encode(ofEntry[0].data).get()).get()
  expect(first.durationSeconds == 8 * 3600, first)
  expect(
    Set(changes.map(\.resource)).isSuperset(of: ["organization", "member", "session", "timeEntry"]), changes)
  return ["entry": entry.id, "session": session.id]
}

/// Reads answers with properties, words and limits that the client was made without.
func readLaterVersion(_ office: Office, entry id: String) async throws {
  let organization = office.organization
  let word = "of_a_later_version"
  let client = configuration(office.later, token: office.admin)
  let entry = try await TimeEntriesAPI.getTimeEntry(
    organizationID: organization, timeEntryId: id, apiConfiguration: client)
  expect(entry.status == word && entry.source == word && entry.id.hasPrefix("later "), entry)
  let list = try await TimeEntriesAPI.listTimeEntries(organizationID: organization, apiConfiguration: client)
  expect(list.timeEntries.first?.status == word, list)
  let started = try await TimeEntriesAPI.clockIn(organizationID: organization, apiConfiguration: client)
  expect(started.status == word, started)
  let current = try await TimeEntriesAPI.getCurrentTimeEntry(
    organizationID: organization, apiConfiguration: client)
  expect(current.status == word, current)
  let again = await refused(as: TimeEntryConflictProblem.self) { () throws(ErrorResponse) in
    try await TimeEntriesAPI.clockIn(organizationID: organization, apiConfiguration: client)
  }
  expect(again.problem.code == word && again.problem.activeTimeEntry?.status == word, again)
  let presence = try await TimeEntriesAPI.getPresence(organizationID: organization, apiConfiguration: client)
  expect(presence.presence.first?.userId.hasPrefix("later ") == true, presence)
  _ = try await TimeEntriesAPI.clockOut(organizationID: organization, apiConfiguration: client)
  let sessions = try await SessionsAPI.listSessions(organizationID: organization, apiConfiguration: client)
  expect(sessions.sessions.first?.id.hasPrefix("later ") == true, sessions)
  let members = try await MembersAPI.listMembers(organizationID: organization, apiConfiguration: client)
  expect(Set(members.members.map(\.role)) == [word], members)
  let feed = try await ChangesAPI.listChanges(organizationID: organization, apiConfiguration: client)
  expect(Set(feed.changes.map(\.kind) + feed.changes.map(\.resource)) == [word], feed)
  guard case .dictionary(let resource)? = feed.changes.first?.data else { fail("no resource in \(feed)") }
  expect(resource["laterProperty"] != nil, resource)
  let audit = try await ChangesAPI.listAuditLog(organizationID: organization, apiConfiguration: client)
  expect(audit.changes.first?.author.means == word, audit)
  let me = try await AuthenticationAPI.getMe(
    include: [.organization, .current, .sessions], apiConfiguration: client)
  expect(me.memberships.first?.organization?.policy.weekStart == word, me)
  let report = try await ReportsAPI.reportHours(
    organizationID: organization, startDate: date(Date(), days: -3), endDate: date(Date()),
    groupBy: [.source], apiConfiguration: client)
  expect(report.groupBy == [word] && report.rows.first?.source == word, report)
  let sheet = try await ReportsAPI.getTimesheet(
    organizationID: organization, period: .weekly, apiConfiguration: client)
  expect(sheet.period == word, sheet)
  let begin = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)) - 5 * 3600
  let shift = CreateTimeEntryRequest(clockInTime: begin, clockOutTime: begin + 3600)
  let outcome = try await TimeEntriesAPI.createTimeEntries(
    organizationID: organization,
    createTimeEntriesRequest: CreateTimeEntriesRequest(mode: .partial, timeEntries: [shift, shift]),
    apiConfiguration: client)
  expect(outcome.results.map(\.status) == [299, 299], outcome)
  expect(outcome.results[1].problem?.code == word, outcome)
  let known = BulkMemberRequest(email: office.email, name: "Again", role: "member")
  let tried = try await MembersAPI.createMembers(
    organizationID: organization, createMembersRequest: CreateMembersRequest(dryRun: true, members: [known]),
    apiConfiguration: client)
  expect(tried.results.first?.problem?.code == word, tried)
  let absent = await refused(as: Problem.self) { () throws(ErrorResponse) in
    try await TimeEntriesAPI.getTimeEntry(
      organizationID: organization, timeEntryId: "no-such-entry", apiConfiguration: client)
  }
  expect(absent.status == 404 && absent.problem.code == word, absent)
}

do {
  switch CommandLine.arguments.dropFirst().first {
  case "work":
    let made = try await work(Office())
    print(String(decoding: try JSONEncoder().encode(made), as: UTF8.self))
  case "read-later-version": try await readLaterVersion(Office(), entry: variable("ENTRY"))
  default: fail("say work or read-later-version")
  }
} catch ErrorResponse.error(let status, let content, _, let error) {
  fail("\(status) \(String(decoding: content ?? Data(), as: UTF8.self)) \(error)")
}
