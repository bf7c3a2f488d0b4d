/// The use of members' entitlements of one year.
package struct EntitlementReport: Sendable {
  /// By the members' names, then by their ids. Members without an entitlement of the year have none.
  package let rows: [Row]

  /// The use of one member's.
  package struct Row: Sendable {
    package var person: ReportedPerson
    package var use: EntitlementYear
  }

  /// - Parameters:
  ///   - entitlements: Those of the year, by member.
  ///   - facts: Those of the same members; their work is of no consequence.
  ///   - zone: The organization's.
  ///   - asOf: The instant at which carried days have expired or have not.
  package init(
    _ entitlements: [UserKey: EntitlementRow], _ facts: BalanceFacts, people: [UserKey: ReportedPerson],
    in zone: Zone, asOf: Instant
  ) {
    rows = entitlements.compactMap { user, entitlement in
      guard let person = people[user] else { return nil }
      return Row(person: person, use: facts.use(of: entitlement, by: user, in: zone, asOf: asOf))
    }.sorted { $0.person < $1.person }
  }
}

extension BalanceFacts {
  /// The use of a member's entitlement.
  ///
  /// - Parameters:
  ///   - zone: The organization's.
  ///   - asOf: The instant at which carried days have expired or have not.
  func use(of entitlement: EntitlementRow, by user: UserKey, in zone: Zone, asOf: Instant) -> EntitlementYear
  {
    let schedule = schedules[user] ?? Schedule(rows: [], organizationZone: zone)
    let balance = MemberBalance(schedule: schedule, holidays: holidays, absences: absences[user] ?? [])
    return EntitlementYear(entitlement, of: balance, today: schedule.date(of: asOf))
  }
}
