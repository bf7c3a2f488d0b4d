import Procedures
import TimeclockDomain

extension SQLiteStorage {
  package func memberships(
    of userIDs: Set<UserID>, in organization: OrganizationKey
  ) async throws -> [UserID: Membership] {
    try read { connection in
      try userIDs.reduce(into: [:]) { memberships, userID in
        memberships[userID] = try connection.read(
          Membership.one, [.key(organization), .identifier(userID)]
        ) { try Membership(&$0, in: organization) }.first
      }
    }
  }
}
