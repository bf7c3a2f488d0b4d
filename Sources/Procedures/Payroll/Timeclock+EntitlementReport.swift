import TimeclockDomain

extension Timeclock {
  /// The use of members' entitlements of a kind in a year.
  ///
  /// - Parameter wanted: If none are stated, the caller for a member, and everyone for a manager.
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`; `MissingTimeZone`.
  package func entitlementReport(
    _ kind: Entitlement.Kind, in year: Int, of wanted: WantedMembers, for caller: Membership
  ) async throws -> EntitlementReport {
    let members = try await members(wanted, for: caller)
    let organization = caller.key.organization
    let entitlements = try await storage.entitlementRows(of: members, kind, in: year, of: organization)
    let facts = try await balanceFacts(of: members, for: caller)
    let (zone, now) = (try zone(stored: caller.organizationTimeZone), clock.now)
    // Of the work nothing is needed, of the members their names.
    let names = WorkedTimeQuery(
      organization: organization, members: members, endingAfter: .latest, beginningBefore: .latest,
      session: nil,
      hasDetails: false)
    return try await storage.report(on: names) { time in
      EntitlementReport(entitlements, facts, people: time.people, in: zone, asOf: now)
    }
  }
}
