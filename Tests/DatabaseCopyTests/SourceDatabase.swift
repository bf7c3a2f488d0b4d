import Foundation
import Procedures
import StorageCalls
import TimeclockDomain

@testable import SQLiteStorage

/// A folder for database files, which is removed after the test.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "timeclock-copy-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }
}

/// A database file in which every table has rows and every column a value: two organizations, a person in both
/// who has accepted one of them, a deactivated member, log-ins, API tokens, sessions, entries open and closed.
struct SourceDatabase: Sendable {
  let path: String
  /// The first organization, which has everything.
  let organization: OrganizationID
  /// The second, to which the first one's admin was added.
  let other: OrganizationID
  let admin: UserID
  /// The admin's log-in.
  let logIn: TokenDigest
  /// An API token of the first organization.
  let apiToken: TokenDigest
  /// An API token of the second one in the name of the first one's admin.
  let otherApiToken: TokenDigest

  static let now = Instant(millisecondsSince1970: 1_795_165_200_123)
  private static let hash = PasswordHash(text: "$scrypt$secret")

  init(in folder: TestFolder) async throws {
    path = folder.file("source.db")
    let storage = try SQLiteStorage.open(path: path) {}
    let ids = IdentifierGenerator()
    (organization, other, admin) = (ids.next(at: Self.now), ids.next(at: Self.now), ids.next(at: Self.now))
    (logIn, apiToken, otherApiToken) = (Self.digest(1), Self.digest(2), Self.digest(3))
    let ana = NewAccount(
      userID: admin, email: try EmailAddress("Ana@Example.com"), name: "Ana Gómez", passwordHash: Self.hash)
    _ = try await storage.createOrganization(
      Self.organization(organization, "Hafen-Café 𝄞"), admin: ana,
      token: NewToken(digest: logIn, createdAt: Self.now, expiresAt: .latest, client: .web),
      context: Self.change)
    let ben = NewAccount(
      userID: ids.next(at: Self.now), email: try EmailAddress("ben@example.com"), name: "Ben",
      passwordHash: nil)
    _ = try await storage.createOrganization(
      Self.organization(other, "Elsewhere"), admin: ben,
      token: NewToken(digest: Self.digest(4), createdAt: Self.now, expiresAt: .latest, client: nil),
      context: Self.change)
    guard
      let first = try await storage.authenticate(logIn, organizationID: organization, at: Self.now)?
        .membership
    else { throw Missing() }
    try await storage.createApiToken(
      Self.apiToken(ids.next(at: Self.now), of: admin), digest: apiToken, in: first.key.organization,
      context: Self.change)
    let gone = Self.apiToken(ids.next(at: Self.now), of: admin)
    try await storage.createApiToken(
      gone, digest: Self.digest(9), in: first.key.organization, context: Self.change)
    try await storage.deleteApiToken(gone.id, in: first.key.organization, context: Self.change)
    try await Self.addRows(to: storage)
    for type in sampledRecords {
      try await type.keepOne(in: first.key.organization, organization, context: Self.change, storage)
    }
    for type in sampledMemberRecords {
      try await type.keepOne(
        of: admin, in: first.key.organization, organization, context: Self.change, storage)
    }
    try await Self.addEntries(to: storage, first, ids)
    try await storage.recordAnswer(
      AnswerRecording(key: IdempotencyKey(digest: Self.digest(8).bytes, user: first.key.user), time: Self.now)
      {
        RecordedAnswer(
          fingerprint: Self.digest(7).bytes, salt: Array(repeating: 0, count: 16), status: 201,
          entityTag: "\"1\"", location: "/v1/organizations", body: [0, 0xFF, 0x7B])
      })
    await storage.close()
  }

  static func digest(_ number: UInt8) -> TokenDigest {
    TokenDigest(bytes: Array(repeating: number, count: 32))
  }

  static func organization(_ id: OrganizationID, _ name: String) throws -> Organization {
    guard let zone = TimeZoneIdentifier("Europe/Berlin") else { throw Missing() }
    return Organization(id: id, name: name, timeZone: zone, createdAt: now, updatedAt: now)
  }

  private static func apiToken(_ id: ApiTokenID, of user: UserID) -> ApiToken {
    ApiToken(
      id: id, name: "Payroll", userID: user, scope: .read, createdAt: now, expiresAt: .latest, lastUsedAt: nil
    )
  }

  /// A change by an API token in a request, for a reason.
  static let change = ChangeContext(
    author: Author(
      means: .apiToken, userID: UserID(high: 1, low: 2), apiTokenID: ApiTokenID(high: 3, low: 4),
      requestID: RequestID(high: 5, low: 6)),
    operation: "createTimeEntry", time: now, reason: Reason(stored: "Grund 🌙"))

  /// Adds data that no operation makes alone: numbers with gaps, versions, sessions, a token that was used.
  private static func addRows(to storage: SQLiteStorage) async throws {
    try await storage.writer.write { transaction in
      try transaction.connection.execute(
        """
        UPDATE organizations SET version = 7, minimum_seconds = 0, look_back_hours = 12, auto_clock_out_seconds = 43200,
          daily_overtime_seconds = 28800, weekly_overtime_seconds = 144000, week_start = 7,
          manual_entry_days = 31, members_may_create_projects = 0, break_rules = '21600:1800', break_minimum_seconds = 60,
          project_required = 1, members_may_enter_times = 0, remind_after_seconds = 36000, timer_session_days = 31,
          managers_see = 'ownGroups',
          absence_approval = 'sick vacation', self_approval = 1, absence_kinds_visible = 1, allow_negative_entitlement = 0,
          balance_cap_above = 144000, balance_cap_below = -72000,
          corrections_need = 'notice'
          WHERE organization_id = 1;
        UPDATE members SET time_zone = 'Asia/Kathmandu', personnel_number = '00 7', version = 9007199254740991 WHERE organization_id = 1;
        UPDATE tokens SET last_used_at = 1795165200999 WHERE organization_id = 1;
        INSERT INTO users VALUES (40, x'01900000000070008000000000000040', 'c@x.org', 'c@x.org', '', NULL, -5, 1, 'es');
        INSERT INTO members VALUES (1, 40, 500, '', 'manager', NULL, 0, 1, 2, -5, -4, 1728000000009, '', NULL, NULL);
        INSERT INTO members VALUES (2, 1, 501, 'Ana', 'member', NULL, 1, 0, 1, 0, 0, NULL, 'ANA@X.org', '00 7', 'de');
        INSERT INTO tokens VALUES (77, 1, x'\(String(repeating: "03", count: 32))', 0, 253402300799999, NULL, 2,
          x'01900000000070008000000000000077', 'Elsewhere', 0, NULL);
        INSERT INTO invitations VALUES (501, 1, x'01900000000070008000000000000501', 1,
          x'\(String(repeating: "51", count: 32))', 1728000000000, 1728000000001);
        INSERT INTO invitations VALUES (502, 2, x'01900000000070008000000000000502', 1,
          x'\(String(repeating: "52", count: 32))', 1, 2);
        INSERT INTO sessions VALUES (9, 1, x'01900000000070008000000000000009', 20000, 'Abendkurs 🌙',
          1728000000000, 1728003600000, 'Raum "3"', 3, 1, 2);
        INSERT INTO sessions VALUES (10, 2, x'01900000000070008000000000000010', 20001, 'Theirs', NULL, NULL, NULL,
          1, 1, 1);
        INSERT INTO session_assignees VALUES (1, 9, 1), (1, 9, 40), (2, 10, 1);
        INSERT INTO break_types VALUES (3, 1, x'01900000000070008000000000000003', 'Mittag 🌙', 1, 1800, 0, 4, 1, 2);
        INSERT INTO break_types VALUES (4, 2, x'01900000000070008000000000000004', 'Theirs', 0, NULL, 1, 1, 1, 1);
        INSERT INTO holiday_calendars VALUES (1, 1, x'01900000000070008000000000000A01', 'Bayern', 1, 1, 1);
        INSERT INTO holidays VALUES (1, 1, x'01900000000070008000000000000A02', 1, 20812, 'Heiligabend 🌙', 50, 2, 1, 2);
        INSERT INTO pay_rules VALUES (5, 1, x'01900000000070008000000000000B03', 20811, '21600:1800 32400:2700', 600, 28800,
          144000, 'thursday', 3, 1, 2);
        INSERT INTO groups VALUES (7, 1, x'01900000000070008000000000000B01', 'Ernte 🌙', 3, 1, 2);
        INSERT INTO groups VALUES (8, 2, x'01900000000070008000000000000B02', 'Theirs', 1, 1, 1);
        INSERT INTO group_people VALUES (1, 7, 'manager', 40), (1, 7, 'member', 1), (1, 7, 'member', 40), (2, 8, 'representative', 1);
        INSERT INTO record_reads VALUES (821, 1, x'01900000000070008000000000000821', 1795165200123,
          x'01900000000070008000000000000040', x'01900000000070008000000000000B01', 'Ernte 🌙', 'listTimeEntries',
          x'01900000000070008000000000000822', 20812, 20814);
        INSERT INTO record_reads VALUES (823, 2, x'01900000000070008000000000000823', 1, x'01900000000070008000000000000040',
          x'01900000000070008000000000000B02', 'Theirs', 'reportBalance', NULL, NULL, NULL);
        INSERT INTO record_read_people VALUES (1, 821, 1), (1, 821, 40), (2, 823, 1);
        INSERT INTO absences VALUES (3, 1, x'01900000000070008000000000000C01', 40, 'sick', 'other', 20812, 20814, 'seconds', 3600,
          'requested', 'Grippe 🌙', 3, 1, 2);
        INSERT INTO absences VALUES (4, 2, x'01900000000070008000000000000C02', 1, 'absent', 'vacation', 20000, 20000, 'half',
          NULL, 'canceled', NULL, 1, 1, 1);
        INSERT INTO corrections VALUES (3, 1, x'01900000000070008000000000000C11', 40, x'01900000000070008000000000000C12',
          1795165200000, 1795168800000, 0, 'Kasse 🌙', x'01900000000070008000000000000C13', 'agreed', 'Danke',
          x'01900000000070008000000000000C14', 1795165200999, 3, 1, 2);
        INSERT INTO corrections VALUES (4, 2, x'01900000000070008000000000000C15', 1, NULL, NULL, NULL, 1, NULL, NULL, 'open',
          NULL, NULL, NULL, 1, 1, 1);
        INSERT INTO projects VALUES (601, 1, x'01900000000070008000000000000601', 40, 'Ernte 🌙', 'Teegarten', '#34C7AF',
          1, 1, 4, 1, 2);
        INSERT INTO projects VALUES (602, 2, x'01900000000070008000000000000602', NULL, 'Theirs', NULL, '#007AFF',
          0, 0, 1, 1, 1);
        INSERT INTO tasks VALUES (611, 1, x'01900000000070008000000000000611', 40, 601, 'Pflücken 🌙', 1, 4, 1, 2);
        INSERT INTO tasks VALUES (612, 2, x'01900000000070008000000000000612', NULL, NULL, 'Theirs', 0, 1, 1, 1);
        INSERT INTO time_entries VALUES (1, 40, 20000, 1728000000001, 600, x'01900000000070008000000000000600',
          1728000000001, 1728003600002, 'Pacific/Kiritimati', 50400, 9, 'a\u{9}b', 'kiosk', 5, 4, 1728003600003);
        INSERT INTO time_entries VALUES (2, 1, 20000, 1728000000001, 601, x'01900000000070008000000000000601',
          1728000000001, NULL, 'UTC', 0, NULL, NULL, 'api', 0, 1, 1);
        INSERT INTO segments VALUES (701, 1, 40, x'01900000000070008000000000000701', 1728000000001, 1728001000000,
          x'01900000000070008000000000000600', 601, 611, NULL, NULL, 1, 1, 'Ernte 🌙', '\nBüro\nx\n', 'Pacific/Kiritimati',
          'kiosk', 4, 1, 2);
        INSERT INTO segments VALUES (702, 1, 40, x'01900000000070008000000000000702', 1728001000000, 1728002000000,
          x'01900000000070008000000000000600', NULL, NULL, 3, 701, 0, 0, 'Mittag', NULL, 'UTC', 'api', 1, 1, 1);
        INSERT INTO segments VALUES (703, 2, 1, x'01900000000070008000000000000703', 1728000000001,
          1728000000002, NULL, 602, NULL, NULL, NULL, 1, 0, 'Theirs', NULL, 'UTC', 'api', 1, 1, 1);
        INSERT INTO webhooks VALUES (801, 1, x'01900000000070008000000000000801', 'https://hooks.example/a', 'timeEntry,segment',
          1, x'\(String(repeating: "81", count: 32))', 4, 1, 2);
        INSERT INTO webhooks VALUES (802, 2, x'01900000000070008000000000000802', 'https://hooks.example/b', NULL,
          0, x'\(String(repeating: "82", count: 32))', 1, 1, 1);
        INSERT INTO reminders VALUES (811, 1, 1, x'01900000000070008000000000000811', 'clocked_in_too_long',
          x'01900000000070008000000000000400', 5);
        INSERT INTO timers VALUES (1, 40, 'paused', x'01900000000070008000000000000901', 'focus', 1728000000001,
          1728001500001, 1728000000002, 1728000600000, 1, NULL, 7, 1500000, -60000, 1, 1, 1728000300000, 'Lesen 🌙',
          x'01900000000070008000000000000601', x'01900000000070008000000000000611', 'bank/1', 'Bankdrücken', 3,
          1727999000000, 2, '{"currentSet":1,"itemsCompleted":0,"startTime":5,"totalItems":3,"totalSets":4}',
          '{"focusSeconds":1200}', 1728000600000,
          '{"autoStarts":1,"sessions":[],"sets":0,"streak":2,"updatedAt":1728000000001}', 1728087000000, 9, 1728000600000);
        INSERT INTO timers (organization_id, user_id, state, id, type, start_time, end_time, last_start_time,
          paused_by_background, finished_at, paused_time, original_time, adjusted_time, was_adjusted, pauses_in_background,
          streak, auto_starts, due_at, version, updated_at)
          VALUES (2, 1, 'finished', x'01900000000070008000000000000902', 'rest', 1, 90001, 1, 0, 90001, 0, 90000, 0, 0, 0,
          0, 0, 1890002, 2, 90001);
        INSERT INTO timer_sessions VALUES (911, 1, 40, x'01900000000070008000000000000911', 'focus', 1728000000001,
          1728001500001, 24, 1, 1493, 'Lesen 🌙', x'01900000000070008000000000000601',
          x'01900000000070008000000000000611', 'skipped', 'Kapitel 4', 1, 1728001500005);
        INSERT INTO timer_sessions VALUES (912, 2, 1, x'01900000000070008000000000000912', 'rest', 1, 90001, 1, 0, 90, NULL,
          NULL, NULL, 'finished', NULL, 0, 90001);
        INSERT INTO push_targets VALUES (901, 1, 1, x'01900000000070008000000000000901',
          (SELECT min(token_id) FROM tokens WHERE organization_id = 1), 'liveActivity', 'focus',
          x'\(String(repeating: "91", count: 32))', 'com.example.app', 'sandbox', 'unix', 'FocusAttributes', 1, 2, 'x 🌙',
          'a', 'b', '{}', 3, 4, 5, 6, 7, 8);
        INSERT INTO push_targets VALUES (902, 1, 1, x'01900000000070008000000000000902',
          (SELECT min(token_id) FROM tokens WHERE organization_id IS NULL), 'alert', NULL,
          x'\(String(repeating: "92", count: 32))', 'com.example.app', 'production', 'reference', NULL, 1, NULL, NULL,
          NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 0);
        INSERT INTO periods VALUES (3, 1, x'01900000000070008000000000000C01', 40, 20010, 1728950400000, 20005,
          1728518400000, 20000, 1728086400000, 4, 1, 2);
        INSERT INTO periods VALUES (4, 2, x'01900000000070008000000000000C02', 1, NULL, NULL, NULL, NULL, NULL, NULL, 2, 1, 1);
        INSERT INTO approvals VALUES (5, 1, x'01900000000070008000000000000C03', 40, 19990, 20005,
          x'01900000000070008000000000000C04', 28800, 1, 2, 3, 28797, 3600, -60, -25257, 1, 1, 1, 1800, 900);
        INSERT INTO approvals VALUES (6, 2, x'01900000000070008000000000000C05', 1, 20000, 20000, NULL, 0, 0, 0, 0, 0, 0, 0, 0,
          1, 1, 1, NULL, NULL);
        UPDATE row_numbers SET last_number = max(last_number, 5000);
        """)
    }
  }

  private static func addEntries(
    to storage: SQLiteStorage, _ member: Membership, _ ids: IdentifierGenerator
  ) async throws {
    for day in 0..<20 {
      let begin = now.adding(milliseconds: Int64(day) * 86_400_000)
      var entry = entry(of: member, id: ids.next(at: begin), from: begin)
      if day == 19 { entry.clockOutTime = nil }
      if day % 2 == 1 { entry.notes = Notes(stored: "Grüße 👩‍🚀 &lt;\(day)&gt;\n") }
      _ = try await storage.createTimeEntry(
        NewTimeEntry(member: member.key, entry: entry, needsSessionAssignment: false, context: change))
    }
  }

  private static func entry(of member: Membership, id: TimeEntryID, from begin: Instant) -> TimeEntry {
    TimeEntry(
      id: id, userID: member.userID, organizationID: member.organizationID, clockInTime: begin,
      clockOutTime: begin.adding(milliseconds: 60_001),
      date: LocalDate(daysSince1970: Int32(clamping: begin.millisecondsSince1970 / 86_400_000)),
      timeZone: member.organizationTimeZone, offsetSeconds: 3_600, sessionID: nil, notes: nil, source: .api,
      flags: [], version: 1, createdAt: begin, updatedAt: begin)
  }

  /// Adds a row to each table that has numbers and an operation: an organization with its admin, an API token, a
  /// time entry of the first organization's admin, in an hour that is free.
  func addOneOfEach(to storage: any Storage) async throws {
    let ids = IdentifierGenerator()
    guard
      let member = try await storage.authenticate(logIn, organizationID: organization, at: Self.now)?
        .membership
    else { throw Missing() }
    let user: UserID = ids.next(at: Self.now)
    let account = NewAccount(
      userID: user, email: try EmailAddress("\(user)@example.com"), name: "New", passwordHash: nil)
    _ = try await storage.createOrganization(
      Self.organization(ids.next(at: Self.now), "New"), admin: account,
      token: NewToken(digest: Self.randomDigest(), createdAt: Self.now, expiresAt: .latest, client: nil),
      context: Self.change)
    try await storage.createApiToken(
      Self.apiToken(ids.next(at: Self.now), of: admin), digest: Self.randomDigest(),
      in: member.key.organization, context: Self.change)
    let count = try await storage.timeEntries(
      TimeEntryQuery(
        organization: member.key.organization, user: member.key.user, range: .dates(from: nil, through: nil),
        status: nil, session: nil, cursor: nil, limit: 1_000)
    ).elements.count
    let begin = Self.now.adding(milliseconds: -3_600_000 * Int64(count))
    _ = try await storage.createTimeEntry(
      NewTimeEntry(
        member: member.key, entry: Self.entry(of: member, id: ids.next(at: begin), from: begin),
        needsSessionAssignment: false, context: Self.change))
  }

  private static func randomDigest() -> TokenDigest {
    TokenDigest(bytes: (0..<32).map { _ in UInt8.random(in: 0...255) })
  }
}

/// An object that the test has just made is missing.
struct Missing: Error {}
