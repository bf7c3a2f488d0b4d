import TimeclockDomain

/// The settings of an import.
package struct ImportSettings: Sendable {
  /// The IANA zone in which clocks showed the times of rows that name none; nil means the member's own.
  package var timeZone: String?
  /// The member that rows without an e-mail address belong to.
  package var userID: UserID?
  /// Whether entries that are shorter or longer than the policy lets them be are kept and flagged, and not refused.
  package var keepsOutOfPolicy: Bool
  /// Whether a row that says itself that it is shorter than its start and end are apart is kept with its own length, and not
  /// refused.
  package var takesLength: Bool
  /// The names of the file's columns of which nothing is read, for the report.
  package var ignoredColumns: [String]
  /// The names of the settings in messages.
  package var names: ImportSettingNames
  /// Whether the rows are only judged, and nothing is kept.
  package var isDryRun: Bool

  package init(
    timeZone: String? = nil, userID: UserID? = nil, isDryRun: Bool = false,
    keepsOutOfPolicy: Bool = false, takesLength: Bool = false, ignoredColumns: [String] = [],
    names: ImportSettingNames = .parameters
  ) {
    self.timeZone = timeZone
    self.userID = userID
    self.isDryRun = isDryRun
    self.keepsOutOfPolicy = keepsOutOfPolicy
    self.takesLength = takesLength
    self.ignoredColumns = ignoredColumns
    self.names = names
  }
}

extension Timeclock {
  /// Begins an import, which takes a file's rows batch by batch.
  ///
  /// - Throws: `.forbidden` for everyone below admin; `.unknownTimeZone`; `.notFound(.member)` and `.memberAnonymized`
  ///   for the owner of the rows.
  package func beginImport(
    _ settings: ImportSettings, by caller: Membership
  ) async throws -> TimeEntryImport {
    try caller.require(.admin)
    if let name = settings.timeZone { _ = try zone(named: name) }
    let organization = caller.key.organization
    var subject: Membership?
    if let userID = settings.userID {
      guard let member = try await storage.member(userID, in: organization),
        let membership = try await storage.membership(of: userID, in: organization)
      else { throw TimeclockError.notFound(.member) }
      guard member.anonymizedAt == nil else { throw TimeclockError.memberAnonymized }
      subject = membership
    }
    return TimeEntryImport(
      timeclock: self, settings: settings, caller: caller, subject: subject,
      directory: try await ImportDirectory(of: organization, in: storage))
  }

  /// The organization's operator as the caller: an admin who is no member, and whose changes are the operator's.
  ///
  /// - Throws: `.notFound(.organization)`.
  package func operatorMembership(in key: OrganizationKey) async throws -> Membership {
    let organization = try await storage.organization(key)
    var membership = Membership(
      key: MemberKey(organization: key, user: UserKey(0)), organizationID: organization.id,
      userID: identifiers.next(at: clock.now), role: .admin, isActive: true, memberTimeZone: nil,
      organizationTimeZone: organization.timeZone, policy: organization.policy)
    membership.author = Author(means: .operator)
    return membership
  }
}
