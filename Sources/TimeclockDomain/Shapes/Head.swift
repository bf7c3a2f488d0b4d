/// The fields that every record has.
package struct Head<Record>: Hashable, Sendable {
  package var id: Identifier<Record>
  package var organizationID: OrganizationID
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: Identifier<Record>, organizationID: OrganizationID, version: Int64, createdAt: Instant,
    updatedAt: Instant
  ) {
    self.id = id
    self.organizationID = organizationID
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The head of a record that is made at a time.
  package init(id: Identifier<Record>, organizationID: OrganizationID, at time: Instant) {
    self.init(id: id, organizationID: organizationID, version: 1, createdAt: time, updatedAt: time)
  }
}
