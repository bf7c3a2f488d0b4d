import Credentials
import HTTPMessages
import TimeclockDomain

/// Finds out who asks, and whether an operation is for them.
struct Authenticator: Sendable {
  let context: APIContext

  /// The caller of an operation.
  struct Caller: Sendable {
    var authentication: Authentication?
    var membership: Membership?
  }

  /// Checks the token, then the membership, then the role.
  ///
  /// - Throws: `RequestError.missingToken`; `TimeclockError.invalidToken`, `.notFound(.organization)` for an
  ///   organisation the caller is not in as for one that is not there, `.callerDeactivated`, `.forbidden`.
  func authenticate(_ request: HTTPRequest, for match: Router.Match) async throws -> Caller {
    switch match.operation.access {
    case .open:
      return Caller()
    case .operator:
      try await requireOperator(digest(of: request))
      return Caller()
    case .user:
      let authentication = try await context.timeclock.authenticate(
        digest(of: request), organizationID: nil)
      return Caller(authentication: authentication)
    case .role(let role):
      let authentication = try await context.timeclock.authenticate(
        digest(of: request), organizationID: match.parameters.first.flatMap { OrganizationID($0) })
      let membership = try authentication.requireMembership()
      try membership.require(role)
      return Caller(authentication: authentication, membership: membership)
    }
  }

  /// A token that is someone's, but not the operator's, is known and not allowed.
  private func requireOperator(_ digest: TokenDigest) async throws {
    guard digest != context.operatorToken else { return }
    _ = try await context.timeclock.authenticate(digest, organizationID: nil)
    throw TimeclockError.forbidden
  }

  /// The digest of the bearer token (RFC 6750, section 2.1); comparing digests tells nothing about the token.
  private func digest(of request: HTTPRequest) throws -> TokenDigest {
    let values = request.fields.values(of: "Authorization")
    guard let value = values.first else { throw RequestError.missingToken }
    let parts = value.utf8.split(separator: 0x20, maxSplits: 1)
    guard values.count == 1, parts.count == 2, parts[0].count == 6,
      parts[0].elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 })
    else { throw RequestError.missingToken }
    return BearerToken.digest(of: String(Substring(parts[1])))
  }
}
