import TimeclockDomain

/// A client's request for a list of the members who are clocked in.
package struct PresenceRequest: Sendable {
  /// Whether to show only members in for longer than the policy's maximum, or only the others; nil shows both.
  package var isOverMaximum: Bool?
  /// Only members of this group; nil shows all.
  package var groupID: GroupID?
  package var cursor: PresenceCursor?
  package var limit: Int

  package init(
    isOverMaximum: Bool? = nil, groupID: GroupID? = nil, cursor: PresenceCursor? = nil, limit: Int = 100
  ) {
    self.isOverMaximum = isOverMaximum
    self.groupID = groupID
    self.cursor = cursor
    self.limit = limit
  }
}

/// Somebody who is clocked in, as of now.
package struct Presence: Hashable, Sendable {
  package var member: PresentMember
  /// Whole seconds of today's local date in the member's zone that the member has worked, cut once. The day is that
  /// of the zone's calendar: 23, 24, 24.5 or 25 hours long.
  package var secondsToday: Int64
  /// Whole seconds of the same day that the member was on breaks, paid and unpaid, cut once.
  package var breakSeconds: Int64
  /// Whether the active entry is longer than the policy's maximum already.
  package var isOverMaximum: Bool

  package var status: ClockState.Status { ClockState.Status(running: member.segment?.purpose.kind) }
}

/// A page of the members who are clocked in.
package struct PresencePage: Sendable {
  package var page: Page<Presence, PresenceCursor>
  /// The moment that it is about.
  package var time: Instant
}

extension Timeclock {
  /// A page of the members who are clocked in now, those who have been for longest first.
  ///
  /// - Throws: `.forbidden`, `.notFound(.group)`; `MissingTimeZone`.
  package func presence(_ request: PresenceRequest, for caller: Membership) async throws -> PresencePage {
    try caller.require(.manager)
    let group = try await group(request.groupID, for: caller)
    let now = clock.now
    // Members who began before this are over the maximum.
    let bound = now.adding(milliseconds: -caller.policy.maximumSeconds * 1_000)
    let found = try await storage.presence(
      PresenceQuery(
        organization: caller.key.organization, members: group.map(MemberSelection.group) ?? caller.seen,
        beginningFrom: request.isOverMaximum == false ? bound : nil,
        beginningBefore: request.isOverMaximum == true ? bound : nil,
        workedSince: now.adding(milliseconds: -Self.longestDay), cursor: request.cursor, limit: request.limit)
    )
    var days: [TimeZoneIdentifier: Instant] = [:]
    let shown = try found.elements.map { member in
      let identifier = member.timeZone ?? caller.organizationTimeZone
      let today = try days[identifier] ?? startOfToday(in: identifier, at: now)
      days[identifier] = today
      return Presence(
        member: member,
        secondsToday: milliseconds(of: member.worked, running: member.clockInTime, from: today, to: now)
          / 1_000,
        breakSeconds: milliseconds(of: member.breaks, running: member.runningBreak, from: today, to: now)
          / 1_000,
        isOverMaximum: member.clockInTime < bound)
    }
    return PresencePage(page: Page(elements: shown, next: found.next), time: now)
  }

  private func startOfToday(in identifier: TimeZoneIdentifier, at now: Instant) throws -> Instant {
    let zone = try zone(stored: identifier)
    return zone.startOfDay(zone.localDate(at: now))
  }

  /// The milliseconds of `[start, end)` in spans, and in one that runs on to its end.
  private func milliseconds(
    of spans: [EndedSpan], running: Instant?, from start: Instant, to end: Instant
  ) -> Int64 {
    (spans + (running.map { [EndedSpan(start: $0, end: end)] } ?? [])).reduce(0) { sum, span in
      sum + max(0, min(span.end, end).milliseconds(since: max(span.start, start)))
    }
  }

  /// In milliseconds: a zone that moves back over the date line has one date for two days.
  private static var longestDay: Int64 { 48 * 3_600_000 }
}

extension PresentMember {
  /// Since when the member is on a break; nil if they are not.
  fileprivate var runningBreak: Instant? {
    segment.flatMap { $0.purpose.kind == .break ? $0.startTime : nil }
  }
}
