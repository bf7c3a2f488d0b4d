import TimeclockDomain

extension Timeclock {
  /// The state of the caller or of another member for a wall clock. Today is that of the member's calendar, and an
  /// entry belongs to the day on which it began.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`; `MissingTimeZone`.
  package func clock(of userID: UserID?, for caller: Membership) async throws -> ClockState {
    let member = try await subject(userID, for: caller)
    let zone = try zone(stored: member.timeZone)
    let now = clock.now
    let today = zone.localDate(at: now)
    let entries = try await allEntries(of: member, on: today)
    let dayStart = zone.startOfDay(today)
    guard let active = try await storage.activeTimeEntry(of: member.key) else {
      return ClockState(clockedOutAt: now, entries: entries, dayStart: dayStart)
    }
    let segments = try await allSegments(of: member, from: min(dayStart, active.clockInTime))
    return ClockState(of: active, entries: entries, segments: segments, dayStart: dayStart, at: now)
  }

  private func allEntries(of member: Membership, on date: LocalDate) async throws -> [TimeEntry] {
    var query = TimeEntryQuery(
      organization: member.key.organization, user: member.key.user, range: .dates(from: date, through: date),
      status: nil, session: nil, cursor: nil, limit: 1_000)
    var entries: [TimeEntry] = []
    repeat {
      let page = try await storage.timeEntries(query)
      entries += page.elements
      query.cursor = page.next
    } while query.cursor != nil
    return entries
  }

  private func allSegments(of member: Membership, from start: Instant) async throws -> [Segment] {
    var query = SegmentQuery(
      organization: member.key.organization, user: member.key.user, start: start, limit: 1_000)
    var segments: [Segment] = []
    repeat {
      let page = try await storage.segments(query)
      segments += page.elements
      query.cursor = page.next
    } while query.cursor != nil
    return segments
  }
}
