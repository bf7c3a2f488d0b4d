import FoundationEssentials
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
    case .invitation(let invitation): object.add(invitation)
    case .segment(let segment): object.add(segment)
    case .webhook(let webhook): object.add(webhook)
    case .reminder(let reminder): object.add(reminder)
    case .record(let record): object.add(record.value)
    }
    return object.text()
  }

  /// Reads a snapshot that `encoded` wrote.
  ///
  /// - Throws: `DecodingError` for anything else.
  package init(kind: Kind, encoded: String) throws {
    let data = Data(encoded.utf8)
    let decoder = JSONDecoder()
    switch kind.form {
    case .shaped(let type): self = try type.snapshot(stored: data)
    case .organization: self = .organization(try decoder.decode(StoredOrganization.self, from: data).value)
    case .member: self = .member(try decoder.decode(StoredMember.self, from: data).value())
    case .apiToken: self = .apiToken(try decoder.decode(StoredApiToken.self, from: data).value())
    case .timeEntry: self = .timeEntry(try decoder.decode(StoredTimeEntry.self, from: data).value())
    case .session: self = .session(try decoder.decode(StoredSession.self, from: data).value())
    case .invitation: self = .invitation(try decoder.decode(StoredInvitation.self, from: data).value)
    case .segment: self = .segment(try decoder.decode(StoredSegment.self, from: data).value())
    case .webhook: self = .webhook(try decoder.decode(StoredWebhook.self, from: data).value)
    case .reminder: self = .reminder(try decoder.decode(StoredReminder.self, from: data).value)
    }
  }
}

// Each resource that has no shape, with both directions.

extension SnapshotObject {
  fileprivate mutating func add(_ organization: Organization) {
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
    // Defaults are left out, so that the text is the same as before these members were added.
    add("weekStart", organization.policy.weekStart == .monday ? nil : organization.policy.weekStart.rawValue)
    add("manualEntryDays", organization.policy.manualEntryDays)
    if !organization.policy.membersMayCreateProjects { add("membersMayCreateProjects", false) }
    let rules = organization.policy.breakRules
    add("breakRules", rules.isEmpty ? nil : rules.stored)
    let breakMinimum = organization.policy.breakMinimumSeconds
    add("breakMinimumSeconds", breakMinimum == Policy.standardBreakMinimum ? nil : breakMinimum)
    if organization.policy.isProjectRequired { add("projectRequired", true) }
    if !organization.policy.membersMayEnterTimes { add("membersMayEnterTimes", false) }
    add("remindAfter", organization.policy.remindAfterSeconds)
    let sessionDays = organization.policy.timerSessionDays
    add("timerSessionDays", sessionDays == Policy.standardTimerSessionDays ? nil : sessionDays)
    let managersSee = organization.policy.managersSee
    add("managersSee", managersSee == .everyone ? nil : managersSee.rawValue)
    let approval = organization.policy.absenceApproval
    add("absenceApproval", approval == Policy.standardAbsenceApproval ? nil : approval.stored)
    if organization.policy.isSelfApprovalAllowed { add("selfApproval", true) }
    if organization.policy.areAbsenceKindsVisible { add("absenceKindsVisible", true) }
    if !organization.policy.isNegativeEntitlementAllowed { add("allowNegativeEntitlement", false) }
    add("balanceCapAbove", organization.policy.balanceCapAbove)
    add("balanceCapBelow", organization.policy.balanceCapBelow)
    let need = organization.policy.correctionsNeed
    add("correctionsNeed", need == .nothing ? nil : need.rawValue)
    add("state", organization.state == .active ? nil : organization.state.rawValue)
    add("version", organization.version)
    add("createdAt", organization.createdAt.millisecondsSince1970)
    add("updatedAt", organization.updatedAt.millisecondsSince1970)
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
  // Absent means true.
  let membersMayCreateProjects: Bool?
  let breakRules: String?
  let breakMinimumSeconds: Int64?
  let projectRequired: Bool?
  let membersMayEnterTimes: Bool?
  let remindAfter: Int64?
  let timerSessionDays: Int64?
  let managersSee: String?
  let absenceApproval: String?
  let selfApproval: Bool?
  let absenceKindsVisible: Bool?
  let allowNegativeEntitlement: Bool?
  let balanceCapAbove: Int64?
  let balanceCapBelow: Int64?
  let correctionsNeed: String?
  let state: Stored<Organization.State>?
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
        weekStart: weekStart.flatMap(Weekday.init(rawValue:)) ?? .monday, manualEntryDays: manualEntryDays,
        membersMayCreateProjects: membersMayCreateProjects ?? true,
        breakRules: [BreakRule](stored: breakRules ?? ""),
        breakMinimumSeconds: breakMinimumSeconds ?? Policy.standardBreakMinimum,
        isProjectRequired: projectRequired ?? false, membersMayEnterTimes: membersMayEnterTimes ?? true,
        remindAfterSeconds: remindAfter,
        timerSessionDays: timerSessionDays ?? Policy.standardTimerSessionDays,
        managersSee: managersSee.flatMap(Policy.ManagersSee.init) ?? .everyone,
        absenceApproval: absenceApproval.map(Set.init(storedAbsenceKinds:)) ?? Policy.standardAbsenceApproval,
        isSelfApprovalAllowed: selfApproval ?? false, areAbsenceKindsVisible: absenceKindsVisible ?? false,
        isNegativeEntitlementAllowed: allowNegativeEntitlement ?? true,
        balanceCapAbove: balanceCapAbove, balanceCapBelow: balanceCapBelow,
        correctionsNeed: correctionsNeed.flatMap(Policy.CorrectionsNeed.init) ?? .nothing),
      state: state?.value ?? .active, version: version, createdAt: Instant(millisecondsSince1970: createdAt),
      updatedAt: Instant(millisecondsSince1970: updatedAt))
  }
}

extension SnapshotObject {
  fileprivate mutating func add(_ member: Member) {
    add("userId", member.userID)
    add("organizationID", member.organizationID)
    add("email", member.email)
    add("name", member.name)
    add("role", member.role.rawValue)
    add("timeZone", member.timeZone?.name)
    add("language", member.language?.rawValue)
    add("personnelNumber", member.personnelNumber)
    add("active", member.isActive)
    add("version", member.version)
    add("createdAt", member.createdAt.millisecondsSince1970)
    add("updatedAt", member.updatedAt.millisecondsSince1970)
    add("anonymizedAt", member.anonymizedAt?.millisecondsSince1970)
  }
}

private struct StoredMember: Decodable {
  let userId: Stored<UserID>
  let organizationID: Stored<OrganizationID>
  let email: String
  let name: String
  let role: Stored<Role>
  let timeZone: Stored<TimeZoneIdentifier>?
  let language: Stored<Language>?
  let personnelNumber: String?
  let active: Bool
  let version: Int64
  let createdAt: Int64
  let updatedAt: Int64
  let anonymizedAt: Int64?

  func value() -> Member {
    Member(
      userID: userId.value, organizationID: organizationID.value, email: email, name: name, role: role.value,
      timeZone: timeZone?.value, language: language?.value, personnelNumber: personnelNumber,
      isActive: active,
      version: version,
      createdAt: Instant(millisecondsSince1970: createdAt),
      updatedAt: Instant(millisecondsSince1970: updatedAt),
      anonymizedAt: anonymizedAt.map(Instant.init(millisecondsSince1970:)))
  }
}

extension SnapshotObject {
  fileprivate mutating func add(_ apiToken: ApiToken) {
    add("id", apiToken.id)
    add("name", apiToken.name)
    add("userId", apiToken.userID)
    // The default is left out, so that the text is the same as before the member was added.
    add("scope", apiToken.scope == .full ? nil : apiToken.scope.rawValue)
    add("createdAt", apiToken.createdAt.millisecondsSince1970)
    add("expiresAt", apiToken.expiresAt.millisecondsSince1970)
  }
}

private struct StoredApiToken: Decodable {
  let id: Stored<ApiTokenID>
  let name: String
  let userId: Stored<UserID>
  let scope: Stored<ApiTokenScope>?
  let createdAt: Int64
  let expiresAt: Int64

  func value() -> ApiToken {
    ApiToken(
      id: id.value, name: name, userID: userId.value, scope: scope?.value ?? .full,
      createdAt: Instant(millisecondsSince1970: createdAt),
      expiresAt: Instant(millisecondsSince1970: expiresAt), lastUsedAt: nil)
  }
}

extension SnapshotObject {
  fileprivate mutating func add(_ entry: TimeEntry) {
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

extension SnapshotObject {
  /// Writes assignees by their ids: their names are looked up when they are shown.
  fileprivate mutating func add(_ session: Session) {
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

extension SnapshotObject {
  fileprivate mutating func add(_ webhook: Webhook) {
    add("id", webhook.id)
    add("organizationID", webhook.organizationID)
    add("url", webhook.url.text)
    add("resources", webhook.storedResources)
    add("enabled", webhook.isEnabled)
    add("version", webhook.version)
    add("createdAt", webhook.createdAt.millisecondsSince1970)
    add("updatedAt", webhook.updatedAt.millisecondsSince1970)
  }
}

private struct StoredWebhook: Decodable {
  let id: Stored<WebhookID>
  let organizationID: Stored<OrganizationID>
  let url: String
  let resources: String?
  let enabled: Bool
  let version: Int64
  let createdAt: Int64
  let updatedAt: Int64

  var value: Webhook {
    Webhook(
      id: id.value, organizationID: organizationID.value, url: WebhookURL(stored: url),
      resources: Webhook.resources(stored: resources), isEnabled: enabled, version: version,
      createdAt: Instant(millisecondsSince1970: createdAt),
      updatedAt: Instant(millisecondsSince1970: updatedAt))
  }
}

extension SnapshotObject {
  fileprivate mutating func add(_ reminder: Reminder) {
    add("id", reminder.id)
    add("organizationID", reminder.organizationID)
    add("userId", reminder.userID)
    add("kind", reminder.kind.rawValue)
    add("timeEntryId", reminder.timeEntryID)
    add("createdAt", reminder.createdAt.millisecondsSince1970)
  }
}

private struct StoredReminder: Decodable {
  let id: Stored<ReminderID>
  let organizationID: Stored<OrganizationID>
  let userId: Stored<UserID>
  let kind: Stored<Reminder.Kind>
  let timeEntryId: Stored<TimeEntryID>
  let createdAt: Int64

  var value: Reminder {
    Reminder(
      id: id.value, organizationID: organizationID.value, userID: userId.value, kind: kind.value,
      timeEntryID: timeEntryId.value, createdAt: Instant(millisecondsSince1970: createdAt))
  }
}

extension SnapshotObject {
  fileprivate mutating func add(_ invitation: Invitation) {
    add("id", invitation.id)
    add("userId", invitation.userID)
    add("createdAt", invitation.createdAt.millisecondsSince1970)
    add("expiresAt", invitation.expiresAt.millisecondsSince1970)
  }
}

private struct StoredInvitation: Decodable {
  let id: Stored<InvitationID>
  let userId: Stored<UserID>
  let createdAt: Int64
  let expiresAt: Int64

  var value: Invitation {
    Invitation(
      id: id.value, userID: userId.value, createdAt: Instant(millisecondsSince1970: createdAt),
      expiresAt: Instant(millisecondsSince1970: expiresAt))
  }
}

extension SnapshotObject {
  fileprivate mutating func add(_ segment: Segment) {
    add("id", segment.id)
    add("userId", segment.userID)
    add("organizationID", segment.organizationID)
    if let entry = segment.timeEntryID { add("timeEntryId", entry) }
    if let project = segment.purpose.projectID { add("projectId", project) }
    if let task = segment.purpose.taskID { add("taskId", task) }
    if let breakType = segment.purpose.breakTypeID { add("breakTypeId", breakType) }
    add("isPaid", segment.isPaid)
    add("billable", segment.isBillable)
    add("name", segment.name)
    if !segment.tags.isEmpty { add("tags", segment.tags.joined(separator: "\n")) }
    add("startTime", segment.startTime.millisecondsSince1970)
    add("endTime", segment.endTime?.millisecondsSince1970)
    add("timeZone", segment.timeZone.name)
    add("source", segment.source.rawValue)
    add("version", segment.version)
    add("createdAt", segment.createdAt.millisecondsSince1970)
    add("updatedAt", segment.updatedAt.millisecondsSince1970)
  }
}

private struct StoredSegment: Decodable {
  let id: Stored<SegmentID>
  let userId: Stored<UserID>
  let organizationID: Stored<OrganizationID>
  let timeEntryId: Stored<TimeEntryID>?
  let projectId: Stored<ProjectID>?
  let taskId: Stored<TaskID>?
  let breakTypeId: Stored<BreakTypeID>?
  let isPaid: Bool
  let billable: Bool
  let name: String
  /// A line each.
  let tags: String?
  let startTime: Int64
  let endTime: Int64?
  let timeZone: Stored<TimeZoneIdentifier>
  let source: Stored<TimeEntrySource>
  let version: Int64
  let createdAt: Int64
  let updatedAt: Int64

  func value() -> Segment {
    let lines = tags?.unicodeScalars.split(separator: "\n") ?? []
    return Segment(
      id: id.value, organizationID: organizationID.value, userID: userId.value,
      timeEntryID: timeEntryId?.value,
      purpose: SegmentPurpose(
        projectID: projectId?.value, taskID: taskId?.value, breakTypeID: breakTypeId?.value),
      isPaid: isPaid, isBillable: billable, name: name,
      tags: lines.map { String(String.UnicodeScalarView($0)) },
      startTime: Instant(millisecondsSince1970: startTime),
      endTime: endTime.map(Instant.init(millisecondsSince1970:)), timeZone: timeZone.value,
      source: source.value, version: version, createdAt: Instant(millisecondsSince1970: createdAt),
      updatedAt: Instant(millisecondsSince1970: updatedAt))
  }
}
