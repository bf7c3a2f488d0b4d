import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Returns the organization with its policy.
  static let getOrganization = Operation("getOrganization") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let key = try request.requireMembership().key.organization
    let organization = try await request.timeclock.storage.organization(key)
    return .json(version: organization.version, organization.payload)
  }
}
