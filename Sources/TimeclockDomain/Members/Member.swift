/// A person's membership in an organization.
package struct Member: Hashable, Sendable {
  package var userID: UserID
  package var organizationID: OrganizationID
  /// The address as this organization wrote it.
  package var email: String
  /// The person's name in this organization.
  package var name: String
  package var role: Role
  /// The member's own zone; nil means the organization's.
  package var timeZone: TimeZoneIdentifier?
  /// The language in which the person reads the service's pages, as this organization has it; nil if none was chosen.
  package var language: Language?
  /// The number under which payroll knows the person; no other member of the organization has it.
  package var personnelNumber: String?
  package var isActive: Bool
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64
  package var createdAt: Instant
  package var updatedAt: Instant
  /// The time at which the member was anonymized, for good; nil for everybody else.
  package var anonymizedAt: Instant?

  package init(
    userID: UserID, organizationID: OrganizationID, email: String, name: String, role: Role,
    timeZone: TimeZoneIdentifier?, language: Language?, personnelNumber: String?, isActive: Bool,
    version: Int64,
    createdAt: Instant, updatedAt: Instant, anonymizedAt: Instant? = nil
  ) {
    self.userID = userID
    self.organizationID = organizationID
    self.email = email
    self.name = name
    self.role = role
    self.timeZone = timeZone
    self.language = language
    self.personnelNumber = personnelNumber
    self.isActive = isActive
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.anonymizedAt = anonymizedAt
  }
}

extension Member: Versioned {
  package var current: CurrentResource { CurrentResource(.member(self), version: version) }
}
