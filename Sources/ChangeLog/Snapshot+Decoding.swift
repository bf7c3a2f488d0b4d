import FoundationEssentials
import TimeclockDomain

extension Snapshot {
  /// Reads a snapshot that `encoded` wrote.
  ///
  /// - Throws: `DecodingError` for anything else.
  package init(kind: Kind, encoded: String) throws {
    let data = Data(encoded.utf8)
    let decoder = JSONDecoder()
    switch kind {
    case .organization: self = .organization(try decoder.decode(StoredOrganization.self, from: data).value)
    case .member: self = .member(try decoder.decode(StoredMember.self, from: data).value())
    case .apiToken: self = .apiToken(try decoder.decode(StoredApiToken.self, from: data).value())
    case .timeEntry: self = .timeEntry(try decoder.decode(StoredTimeEntry.self, from: data).value())
    case .session: self = .session(try decoder.decode(StoredSession.self, from: data).value())
    }
  }
}

/// An id, a zone or a name of a snapshot, which must be valid.
private struct Stored<Value>: Decodable where Value: StoredText {
  let value: Value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Value(stored: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a \(Value.self)")
    }
    self.value = value
  }
}

/// A value that a snapshot holds as text.
private protocol StoredText {
  init?(stored text: String)
}

extension Identifier: StoredText {
  fileprivate init?(stored text: String) { self.init(text) }
}

extension TimeZoneIdentifier: StoredText {
  fileprivate init?(stored text: String) { self.init(text) }
}

extension Role: StoredText {
  fileprivate init?(stored text: String) { self.init(rawValue: text) }
}

extension TimeEntrySource: StoredText {
  fileprivate init?(stored text: String) { self.init(rawValue: text) }
}

private struct StoredTimeEntry: Decodable {
  let id: Stored<TimeEntryID>
  let userId: Stored<UserID>
  let organizationID: Stored<OrganizationID>
  let clockInTime: Int64
  let clockOutTime: Int64?
  let date: Int32
  let timeZone: Stored<TimeZoneIdentifier>
  let offsetSeconds: Int32
  let sessionId: Stored<SessionID>?
  let notes: String?
  let source: Stored<TimeEntrySource>
  let flags: Int64
  let version: Int64
  let createdAt: Int64
  let updatedAt: Int64

  func value() -> TimeEntry {
    TimeEntry(
      id: id.value, userID: userId.value, organizationID: organizationID.value,
      clockInTime: Instant(millisecondsSince1970: clockInTime),
      clockOutTime: clockOutTime.map(Instant.init(millisecondsSince1970:)),
      date: LocalDate(daysSince1970: date), timeZone: timeZone.value, offsetSeconds: offsetSeconds,
      sessionID: sessionId?.value, notes: notes.map(Notes.init(stored:)), source: source.value,
      flags: TimeEntryFlags(rawValue: flags), version: version,
      createdAt: Instant(millisecondsSince1970: createdAt),
      updatedAt: Instant(millisecondsSince1970: updatedAt))
  }
}

private struct StoredOrganization: Decodable {
  let id: Stored<OrganizationID>
  let name: String
  let timeZone: Stored<TimeZoneIdentifier>
  let minimumSeconds: Int64
  let maximumSeconds: Int64
  let editWindowDays: Int64
  let lookBackHours: Int64
  let notesMaximumCharacters: Int64
  let autoClockOutAfter: Int64?
  let dailyOvertimeAfter: Int64?
  let weeklyOvertimeAfter: Int64?
  // Older changes lack it.
  let weekStart: String?
  let manualEntryDays: Int64?
  let version: Int64
  let createdAt: Int64
  let updatedAt: Int64

  var value: Organization {
    Organization(
      id: id.value, name: name, timeZone: timeZone.value,
      policy: Policy(
        minimumSeconds: minimumSeconds, maximumSeconds: maximumSeconds, editWindowDays: editWindowDays,
        lookBackHours: lookBackHours, notesMaximumCharacters: notesMaximumCharacters,
        autoClockOutSeconds: autoClockOutAfter, dailyOvertimeSeconds: dailyOvertimeAfter,
        weeklyOvertimeSeconds: weeklyOvertimeAfter,
        weekStart: weekStart.flatMap(Weekday.init(rawValue:)) ?? .monday, manualEntryDays: manualEntryDays),
      version: version, createdAt: Instant(millisecondsSince1970: createdAt),
      updatedAt: Instant(millisecondsSince1970: updatedAt))
  }
}

private struct StoredMember: Decodable {
  let userId: Stored<UserID>
  let organizationID: Stored<OrganizationID>
  let email: String
  let name: String
  let role: Stored<Role>
  let timeZone: Stored<TimeZoneIdentifier>?
  let active: Bool
  let version: Int64
  let createdAt: Int64
  let updatedAt: Int64
  let anonymizedAt: Int64?

  func value() -> Member {
    Member(
      userID: userId.value, organizationID: organizationID.value, email: email, name: name, role: role.value,
      timeZone: timeZone?.value, isActive: active, version: version,
      createdAt: Instant(millisecondsSince1970: createdAt),
      updatedAt: Instant(millisecondsSince1970: updatedAt),
      anonymizedAt: anonymizedAt.map(Instant.init(millisecondsSince1970:)))
  }
}

private struct StoredApiToken: Decodable {
  let id: Stored<ApiTokenID>
  let name: String
  let userId: Stored<UserID>
  let createdAt: Int64
  let expiresAt: Int64

  func value() -> ApiToken {
    ApiToken(
      id: id.value, name: name, userID: userId.value, createdAt: Instant(millisecondsSince1970: createdAt),
      expiresAt: Instant(millisecondsSince1970: expiresAt), lastUsedAt: nil)
  }
}

private struct StoredSession: Decodable {
  let id: Stored<SessionID>
  let organizationID: Stored<OrganizationID>
  let date: Int32
  let title: String
  let startTime: Int64?
  let endTime: Int64?
  let location: String?
  let assigneeIds: [Stored<UserID>]
  let version: Int64
  let createdAt: Int64
  let updatedAt: Int64

  func value() -> Session {
    Session(
      id: id.value, organizationID: organizationID.value, date: LocalDate(daysSince1970: date), title: title,
      startTime: startTime.map(Instant.init(millisecondsSince1970:)),
      endTime: endTime.map(Instant.init(millisecondsSince1970:)), location: location,
      assigneeIDs: assigneeIds.map(\.value), version: version,
      createdAt: Instant(millisecondsSince1970: createdAt),
      updatedAt: Instant(millisecondsSince1970: updatedAt))
  }
}
