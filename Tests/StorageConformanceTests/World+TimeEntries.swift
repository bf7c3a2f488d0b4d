import TimeclockDomain

extension World {
  /// An entry as the rules would make it, not yet kept.
  func entry(
    of member: TestMember, in organization: TestOrganization, from clockIn: Instant, to clockOut: Instant?,
    createdAt: Instant = World.start, session: SessionID? = nil
  ) -> TimeEntry {
    TimeEntry(
      id: id(), userID: member.id, organizationID: organization.id, clockInTime: clockIn,
      clockOutTime: clockOut, date: clockIn.utcDate, timeZone: zone("UTC"), offsetSeconds: 0,
      sessionID: session, notes: nil, source: .api, flags: [], version: 1, createdAt: createdAt,
      updatedAt: createdAt)
  }

  /// Keeps an entry for a member.
  @discardableResult
  func keep(
    _ entry: TimeEntry, of member: TestMember, needsSessionAssignment: Bool = true
  ) async throws -> TimeEntry {
    try await storage.createTimeEntry(
      NewTimeEntry(
        member: member.key, entry: entry, needsSessionAssignment: needsSessionAssignment, context: .test()))
  }

  /// Keeps an entry of these times.
  @discardableResult
  func keep(
    _ member: TestMember, in organization: TestOrganization, from clockIn: Instant, to clockOut: Instant?,
    createdAt: Instant = World.start, session: SessionID? = nil
  ) async throws -> TimeEntry {
    try await keep(
      entry(
        of: member, in: organization, from: clockIn, to: clockOut, createdAt: createdAt, session: session),
      of: member, needsSessionAssignment: false)
  }

  func clockOut(
    _ member: TestMember, at time: Instant, isStated: Bool = true, notes: Notes? = nil,
    policy: Policy = .standard, now: Instant = World.start
  ) async throws -> TimeEntry {
    try await storage.clockOut(
      ClockOut(
        member: member.key, time: time, isStated: isStated, notes: notes, policy: policy,
        context: .test(at: now)))
  }

  func list(
    _ organization: TestOrganization, _ member: TestMember? = nil,
    range: TimeEntryRange = .dates(from: nil, through: nil), status: TimeEntryStatus? = nil,
    session: SessionID? = nil, cursor: TimeEntryCursor? = nil, limit: Int = 1_000
  ) async throws -> Page<TimeEntry, TimeEntryCursor> {
    try await storage.timeEntries(
      TimeEntryQuery(
        organization: organization.key, user: member?.key.user, range: range, status: status,
        session: session, cursor: cursor, limit: limit))
  }

  /// All pages of a list of some members' entries that a filter shows, or of everyone's, one after the other.
  func listAll(
    _ organization: TestOrganization, of members: [TestMember]?, _ filter: TimeEntryFilter,
    range: TimeEntryRange = .dates(from: nil, through: nil), pageSize: Int
  ) async throws -> [TimeEntry] {
    var query = TimeEntryQuery(
      organization: organization.key, users: members?.map(\.key.user), range: range, status: nil,
      session: nil,
      filter: filter, cursor: nil, limit: pageSize)
    var entries: [TimeEntry] = []
    repeat {
      let page = try await storage.timeEntries(query)
      entries += page.elements
      query.cursor = page.next
    } while query.cursor != nil
    return entries
  }

  /// All pages of a list, one after the other.
  func listAll(
    _ organization: TestOrganization, _ member: TestMember? = nil,
    range: TimeEntryRange = .dates(from: nil, through: nil), status: TimeEntryStatus? = nil,
    session: SessionID? = nil, pageSize: Int
  ) async throws -> [TimeEntry] {
    var entries: [TimeEntry] = []
    var cursor: TimeEntryCursor?
    repeat {
      let page = try await list(
        organization, member, range: range, status: status, session: session, cursor: cursor,
        limit: pageSize)
      entries += page.elements
      cursor = page.next
    } while cursor != nil
    return entries
  }
}
