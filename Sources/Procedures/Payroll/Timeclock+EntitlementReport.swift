import TimeclockDomain

extension Timeclock {
  /// The use of members' entitlements of a kind in a year.
  ///
  /// - Parameter userID: The member; nil means the caller for a member, and everyone for a manager.
  /// - Throws: `.notFound(.member)`, `.forbidden`; `MissingTimeZone`.
  package func entitlementReport(
    _ kind: Entitlement.Kind, in year: Int, of userID: UserID?, for caller: Membership
  ) async throws -> EntitlementReport {
    let user = try await subjectOrEveryone(userID, for: caller)?.key.user
    let organization = caller.key.organization
    let entitlements = try await storage.entitlementRows(of: user, kind, in: year, of: organization)
    let facts = try await balanceFacts(of: user, for: caller)
    let (zone, now) = (try zone(stored: caller.organizationTimeZone), clock.now)
    // Of the work nothing is needed, of the members their names.
    let names = WorkedTimeQuery(
      organization: organization, user: user, endingAfter: .latest, beginningBefore: .latest, session: nil,
      hasDetails: false)
    return try await storage.report(on: names) { time in
      EntitlementReport(entitlements, facts, people: time.people, in: zone, asOf: now)
    }
  }
}
