/// The public id of an organization.
package typealias OrganizationID = Identifier<Organization>

/// A company, team or club that keeps time entries. Nothing of one is ever visible to another.
package struct Organization: Hashable, Sendable {
  package var id: OrganizationID
  package var name: String
  /// The zone of members who have none of their own, and of the days in organization-wide lists.
  package var timeZone: TimeZoneIdentifier
  package var policy: Policy
  package var state: State
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: OrganizationID, name: String, timeZone: TimeZoneIdentifier, policy: Policy = .standard,
    state: State = .active, version: Int64 = 1, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.name = name
    self.timeZone = timeZone
    self.policy = policy
    self.state = state
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension Organization {
  /// The stages of an organization's life. Only the operator moves it from one to another.
  package enum State: String, CaseIterable, Sendable {
    case active
    /// Nobody gets in; everything is kept.
    case deactivated
    /// Its records are being deleted; there is no way back.
    case deleting
    /// Its records are gone. The row stays, so that its number is never given to another organization, and so does the
    /// chain of its changes, without their content.
    case deleted
  }
}

extension TimeclockError {
  package static let organizationDeactivated = TimeclockError.plain(
    PlainRefusal(
      "organization_deactivated", against: .permission,
      "The operator of this service has deactivated the organization. Its data is kept; ask the operator."))

  package static let organizationActive = TimeclockError.plain(
    PlainRefusal(
      "organization_active", against: .state, "The organization is active: it has to be deactivated first."))

  package static let organizationDeleted = TimeclockError.plain(
    PlainRefusal(
      "organization_deleted", against: .state, "The organization is being deleted, or has been."))
}

extension Organization: Versioned {
  package var current: CurrentResource { CurrentResource(.organization(self), version: version) }
}
