import Procedures
import TimeclockDomain

/// An organization as `organization deactivate` and `organization reactivate` print it.
struct OrganizationStateLine: Encodable {
  let organizationID: String
  let state: String
}

/// The state of a deletion, as `organization delete` prints it at its end.
struct OrganizationDeletionLine: Codable {
  let organizationID: String
  let deleted: Bool
  /// The last change that is erased; nil if all is deleted.
  let erasedThrough: Int64?
}

extension Timeclock {
  /// Closes an organization to everybody, or opens it again.
  ///
  /// - Throws: `CommandError`, `TimeclockError`, the errors of the storage.
  func setActive(_ isActive: Bool, organizationNamed name: String) async throws -> OrganizationStateLine {
    let organization = try await setActive(isActive, organizationKey(named: name))
    return OrganizationStateLine(
      organizationID: "\(organization.id)", state: organization.state.rawValue)
  }

  /// Deletes an organization for a few seconds.
  ///
  /// - Parameters:
  ///   - confirmedName: The organization's name, once more; of no consequence if its deletion has begun.
  ///   - sequence: The last change that is erased already; 0 for the first part.
  /// - Throws: `CommandError`, `TimeclockError`, the errors of the storage.
  func deletePart(
    ofOrganizationNamed name: String, confirmedName: String, erasedThrough sequence: Int64
  ) async throws -> OrganizationDeletionLine {
    let key = try await organizationKey(named: name)
    let organization = try await storage.organization(key)
    guard organization.name.isEmpty || organization.name == confirmedName else {
      throw CommandError(
        "Nothing was deleted: --confirm has to be the organization's name, which is \"\(organization.name)\"."
      )
    }
    let end = ContinuousClock.now + .seconds(5)
    let place = try await deleteOrganization(key, erasedThrough: sequence) { ContinuousClock.now < end }
    return OrganizationDeletionLine(
      organizationID: "\(organization.id)", deleted: place == nil, erasedThrough: place)
  }
}
