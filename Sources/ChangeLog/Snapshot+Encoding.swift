import TimeclockDomain

extension Snapshot {
  /// The snapshot as a JSON object, as storages keep it: instants are milliseconds since 1970, dates days.
  ///
  /// Members are only ever added: every snapshot has to be readable as long as the log is kept.
  package var encoded: String {
    var object = SnapshotObject()
    switch self {
    case .organization(let organization): object.add(organization)
    case .member(let member): object.add(member)
    case .apiToken(let apiToken): object.add(apiToken)
    case .timeEntry(let entry): object.add(entry)
    case .session(let session): object.add(session)
    }
    return object.text
  }
}

/// A JSON object that is being written.
private struct SnapshotObject {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  init() {
    bytes.reserveCapacity(512)
  }

  var text: String { String(decoding: bytes + [UInt8(ascii: "}")], as: UTF8.self) }

  mutating func add(_ entry: TimeEntry) {
    add("id", entry.id)
    add("userId", entry.userID)
    add("organizationID", entry.organizationID)
    add("clockInTime", entry.clockInTime.millisecondsSince1970)
    add("clockOutTime", entry.clockOutTime?.millisecondsSince1970)
    add("date", Int64(entry.date.daysSince1970))
    add("timeZone", entry.timeZone.name)
    add("offsetSeconds", Int64(entry.offsetSeconds))
    if let session = entry.sessionID { add("sessionId", session) }
    add("notes", entry.notes?.text)
    add("source", entry.source.rawValue)
    add("flags", entry.flags.rawValue)
    add("version", entry.version)
    add("createdAt", entry.createdAt.millisecondsSince1970)
    add("updatedAt", entry.updatedAt.millisecondsSince1970)
  }

  mutating func add(_ organization: Organization) {
    add("id", organization.id)
    add("name", organization.name)
    add("timeZone", organization.timeZone.name)
    add("minimumSeconds", organization.policy.minimumSeconds)
    add("maximumSeconds", organization.policy.maximumSeconds)
    add("editWindowDays", organization.policy.editWindowDays)
    add("lookBackHours", organization.policy.lookBackHours)
    add("notesMaximumCharacters", organization.policy.notesMaximumCharacters)
    add("autoClockOutAfter", organization.policy.autoClockOutSeconds)
    add("dailyOvertimeAfter", organization.policy.dailyOvertimeSeconds)
    add("weeklyOvertimeAfter", organization.policy.weeklyOvertimeSeconds)
    // The default is left out, so that the text is the same as before the member was added.
    add("weekStart", organization.policy.weekStart == .monday ? nil : organization.policy.weekStart.rawValue)
    add("manualEntryDays", organization.policy.manualEntryDays)
    add("version", organization.version)
    add("createdAt", organization.createdAt.millisecondsSince1970)
    add("updatedAt", organization.updatedAt.millisecondsSince1970)
  }

  mutating func add(_ member: Member) {
    add("userId", member.userID)
    add("organizationID", member.organizationID)
    add("email", member.email)
    add("name", member.name)
    add("role", member.role.rawValue)
    add("timeZone", member.timeZone?.name)
    add("active", member.isActive)
    add("version", member.version)
    add("createdAt", member.createdAt.millisecondsSince1970)
    add("updatedAt", member.updatedAt.millisecondsSince1970)
    add("anonymizedAt", member.anonymizedAt?.millisecondsSince1970)
  }

  mutating func add(_ apiToken: ApiToken) {
    add("id", apiToken.id)
    add("name", apiToken.name)
    add("userId", apiToken.userID)
    add("createdAt", apiToken.createdAt.millisecondsSince1970)
    add("expiresAt", apiToken.expiresAt.millisecondsSince1970)
  }

  /// Writes assignees by their ids: their names are looked up when they are shown.
  mutating func add(_ session: Session) {
    add("id", session.id)
    add("organizationID", session.organizationID)
    add("date", Int64(session.date.daysSince1970))
    add("title", session.title)
    add("startTime", session.startTime?.millisecondsSince1970)
    add("endTime", session.endTime?.millisecondsSince1970)
    add("location", session.location)
    add("assigneeIds", session.assigneeIDs)
    add("version", session.version)
    add("createdAt", session.createdAt.millisecondsSince1970)
    add("updatedAt", session.updatedAt.millisecondsSince1970)
  }

  private mutating func add<Subject>(_ name: StaticString, _ value: Identifier<Subject>) {
    begin(name)
    append(value)
  }

  private mutating func add<Subject>(_ name: StaticString, _ values: [Identifier<Subject>]) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (number, value) in values.enumerated() {
      if number > 0 { bytes.append(UInt8(ascii: ",")) }
      append(value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func append<Subject>(_ value: Identifier<Subject>) {
    bytes.append(UInt8(ascii: "\""))
    value.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func add(_ name: StaticString, _ value: Int64?) {
    guard let value else { return }
    begin(name)
    bytes.append(contentsOf: String(value).utf8)
  }

  private mutating func add(_ name: StaticString, _ value: Bool) {
    begin(name)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  private mutating func add(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    begin(name)
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20: bytes.append(contentsOf: "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Names are plain ASCII words.
  private mutating func begin(_ name: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }
}
