/// The public id of an organization.
package typealias OrganizationID = Identifier<Organization>

/// A company, team or club that keeps time entries. Nothing of one is ever visible to another.
package struct Organization: Hashable, Sendable {
  package var id: OrganizationID
  package var name: String
  /// The zone of members who have none of their own, and of the days in organization-wide lists.
  package var timeZone: TimeZoneIdentifier
  package var policy: Policy
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: OrganizationID, name: String, timeZone: TimeZoneIdentifier, policy: Policy = .standard,
    version: Int64 = 1, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.name = name
    self.timeZone = timeZone
    self.policy = policy
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension Organization: Versioned {
  package var current: CurrentResource { CurrentResource(.organization(self), version: version) }
}
