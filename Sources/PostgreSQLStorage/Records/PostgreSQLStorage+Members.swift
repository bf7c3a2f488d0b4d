import Procedures
import TimeclockDomain

extension PostgreSQLStorage {
  package func memberships(
    of userIDs: Set<UserID>, in organization: OrganizationKey
  ) async throws -> [UserID: Membership] {
    let list = "[" + userIDs.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    let found = try await read(
      Membership.several, [.key(organization), .text(list)], in: .organization(organization),
      limit: userIDs.count
    ) { try Membership(&$0, in: organization) }
    return Dictionary(found.map { ($0.userID, $0) }) { first, _ in first }
  }
}
