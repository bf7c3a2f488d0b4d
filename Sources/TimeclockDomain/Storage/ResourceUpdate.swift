/// A resource to change or to delete, and the author of the change.
package struct ResourceUpdate<Resource>: Sendable {
  package var id: Identifier<Resource>
  package var organization: OrganizationKey
  /// The version that the change is meant for; nil means any.
  package var expectedVersion: Int64?
  package var context: ChangeContext

  package init(
    id: Identifier<Resource>, organization: OrganizationKey, expectedVersion: Int64?, context: ChangeContext
  ) {
    self.id = id
    self.organization = organization
    self.expectedVersion = expectedVersion
    self.context = context
  }
}
