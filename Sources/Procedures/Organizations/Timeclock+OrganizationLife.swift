import TimeclockDomain

/// The operator's work on whole organizations, by commands on the machine.
extension Timeclock {
  /// Closes an organization to everybody, and closes its active entries; or opens it again. All is kept.
  ///
  /// - Throws: `.notFound(.organization)`, `.organizationDeleted`.
  package func setActive(_ isActive: Bool, _ key: OrganizationKey) async throws -> Organization {
    let context = operatorChange(isActive ? .reactivateOrganization : .deactivateOrganization)
    let organization = try await storage.updateOrganization(key, expectedVersion: nil, context: context) {
      organization in
      guard [.active, .deactivated].contains(organization.state) else {
        throw TimeclockError.organizationDeleted
      }
      organization.state = isActive ? .active : .deactivated
    }
    if !isActive {
      // Those too that a request has made which was let in before.
      while try await storage.closeActiveEntries(of: key, limit: 100, context: context) > 0 {}
    }
    return organization
  }

  /// Deletes an organization that is deactivated, in parts between which others write: its records, its members, the
  /// accounts that belong to no other organization, and the content of its changes. It can be called again and again, and
  /// goes on where it was; there is no way back after the first time.
  ///
  /// - Parameters:
  ///   - sequence: The last change that is erased already, as the call before said; 0 for the first.
  ///   - mayGoOn: Asked between parts.
  /// - Returns: The last change that is erased by now; nil if all is deleted.
  /// - Throws: `.notFound(.organization)`, `.organizationActive`, `.organizationDeleted`.
  package func deleteOrganization(
    _ key: OrganizationKey, erasedThrough sequence: Int64, while mayGoOn: () -> Bool
  ) async throws -> Int64? {
    let context = operatorChange(.deleteOrganization)
    _ = try await storage.updateOrganization(key, expectedVersion: nil, context: context) { organization in
      guard organization.state != .active else { throw TimeclockError.organizationActive }
      guard organization.state != .deleted else { throw TimeclockError.organizationDeleted }
      (organization.state, organization.name) = (.deleting, "")
    }
    while try await storage.deleteRecords(of: key, limit: 500) > 0 {
      guard mayGoOn() else { return sequence }
    }
    while try await storage.endMemberships(of: key, limit: 50, context: context) > 0 {
      guard mayGoOn() else { return sequence }
    }
    try await storage.logDeletion(of: key, context: context)
    // A change is found by its place in the chain, which reading gives to all that are committed.
    _ = try await storage.storedChanges(of: key, after: 0, limit: 1)
    var place = sequence
    while let next = try await storage.eraseChanges(of: key, after: place, limit: 500) {
      place = next
      guard mayGoOn() else { return place }
    }
    return nil
  }

  private func operatorChange(_ operation: OwnOperation) -> ChangeContext {
    ChangeContext(author: Author(means: .operator), operation: operation, time: clock.now)
  }
}
