import HTTPMessages
import Procedures
import TimeclockDomain

extension PersonalData {
  /// Writes the contract's PersonalData, a page of the storage at a time, so that no more than a page is in memory.
  ///
  /// - Parameter now: The time of the export, and the end of an active entry's `durationSeconds`.
  func write(to body: any HTTPBodyWriter, at now: Instant) async throws {
    var writer = JSONWriter()
    writer.open("{")
    writer.member("exportedAt", now)
    writer.member("organizationID", member.organizationID)
    writer.name("account")
    account.write(to: &writer)
    writer.name("membership")
    member.write(to: &writer)
    try await writer.pages("timeEntries", timeEntries, to: body) { $1.write(to: &$0, at: now) }
    try await writer.pages("segments", segments, to: body) { $1.write(to: &$0, at: now) }
    try await writer.pages("sessions", sessions, to: body) { $1.write(to: &$0) }
    try await writer.pages("groups", groups, to: body) { $1.write(to: &$0, for: member.userID) }
    try await writer.pages("recordReads", recordReads, to: body) { $1.write(to: &$0) }
    try await writer.pages("ownRecordReads", ownRecordReads, to: body) { $1.write(to: &$0) }
    try await writer.pages("absences", absences, to: body) { $1.write(to: &$0) }
    try await writer.pages("corrections", corrections, to: body) { $1.write(to: &$0) }
    try await writer.pages("projects", projects, to: body) { $1.write(to: &$0) }
    try await writer.pages("tasks", tasks, to: body) { $1.write(to: &$0) }
    try await writer.pages("reminders", reminders, to: body) { $1.write(to: &$0) }
    let timer = try await timer()
    writer.name("timer")
    timer.write(to: &writer, at: now)
    writer.name("timerSettings")
    timer.settings.write(to: &writer)
    try await writer.pages("timerSessions", timerSessions, to: body) { $1.write(to: &$0) }
    writer.array("pushTargets", try await pushTargets(at: now)) { $1.write(to: &$0) }
    try await writer.pages("apiTokens", apiTokens, to: body) { $1.write(to: &$0) }
    try await writer.pages("invitations", invitations, to: body) { $1.write(to: &$0) }
    try await writer.pages("changes", changes, to: body) { $1.writeForAudit(to: &$0, at: now) }
    writer.close("}")
    try await body.write(writer.takeBytes())
  }
}

extension JSONWriter {
  /// Writes an array of all pages of a list, and sends each page before the next one is read.
  fileprivate mutating func pages<Element, Cursor>(
    _ name: StaticString, _ page: (Cursor?) async throws -> Page<Element, Cursor>,
    to body: any HTTPBodyWriter,
    _ write: (inout JSONWriter, Element) -> Void
  ) async throws {
    self.name(name)
    open("[")
    var cursor: Cursor?
    repeat {
      let next = try await page(cursor)
      for element in next.elements { write(&self, element) }
      try await body.write(takeBytes())
      cursor = next.next
    } while cursor != nil
    close("]")
  }
}

extension AssignedSession {
  /// Writes the contract's AssignedSession.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("date", date)
      writer.member("title", title)
      writer.member("startTime", startTime)
      writer.member("endTime", endTime)
      writer.member("location", location)
    }
  }
}

extension Group {
  /// Writes the contract's PersonalGroup, without the other people in it.
  fileprivate func write(to writer: inout JSONWriter, for userID: UserID) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.array("parts", parts(of: userID)) { $0.string($1.rawValue) }
    }
  }
}
