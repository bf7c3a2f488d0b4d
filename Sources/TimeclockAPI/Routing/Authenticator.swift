import Credentials
import HTTPMessages
import TimeclockDomain

/// Identifies the caller of a request, and checks whether the caller may use the operation.
struct Authenticator: Sendable {
  let context: APIContext

  /// The caller of an operation.
  struct Caller: Sendable {
    var authentication: Authentication?
    var membership: Membership?
  }

  /// Checks, for an operation that is not open, the token, then its rate limit, then whether it is good for anything but
  /// a change of the password, then the membership, then whether the token
  /// may write, then whether it is a log-in's if it has to be, then the role.
  ///
  /// - Parameter count: Called with a valid token; its errors are thrown on.
  /// - Throws: `RequestError.missingToken`; `TimeclockError.invalidToken`, `.passwordChangeRequired`, `.notFound(.organization)` for an organization
  ///   that does not exist and for one that the caller is not a member of, `.callerDeactivated`, `.readOnlyToken`, `.forbidden`.
  func authenticate(
    _ request: HTTPRequest, for match: Router.Match, counting count: (TokenDigest) throws -> Void
  ) async throws -> Caller {
    switch match.operation.access {
    case .open:
      return Caller()
    case .operator:
      try await requireOperator(digest(of: request), counting: count)
      return Caller()
    case .user:
      let digest = try digest(of: request)
      let authentication = try await context.timeclock.authenticate(digest, organizationID: nil)
      try count(digest)
      if match.operation !== Operation.changePassword { try authentication.requireOwnPassword() }
      if match.operation.method != .get { try authentication.requireWriting() }
      return Caller(authentication: authentication)
    case .role(let role):
      let digest = try digest(of: request)
      let authentication = try await context.timeclock.authenticate(
        digest, organizationID: match.parameters.first.flatMap { OrganizationID($0) })
      try count(digest)
      try authentication.requireOwnPassword()
      let membership = try authentication.requireMembership()
      if match.operation.method != .get { try authentication.requireWriting() }
      if match.operation.isOfOwnTimer { try authentication.requireLogIn() }
      try membership.require(role)
      return Caller(authentication: authentication, membership: membership)
    }
  }

  /// Checks the operator's token. A valid token of a person is known, but not allowed.
  private func requireOperator(
    _ digest: TokenDigest, counting count: (TokenDigest) throws -> Void
  ) async throws {
    guard digest != context.operatorToken else { return try count(digest) }
    _ = try await context.timeclock.authenticate(digest, organizationID: nil)
    try count(digest)
    throw TimeclockError.forbidden
  }

  /// The digest of the bearer token (RFC 6750, section 2.1); comparing digests reveals nothing about the token.
  func digest(of request: HTTPRequest) throws -> TokenDigest {
    guard request.fields.count(of: "Authorization") == 1, var value = request.fields["Authorization"] else {
      throw RequestError.missingToken
    }
    let digest = value.withUTF8 { bytes -> TokenDigest? in
      let scheme = bytes.prefix(Self.scheme.count)
      guard scheme.elementsEqual(Self.scheme, by: { $0 | 0x20 == $1 }) else { return nil }
      let token = bytes.dropFirst(scheme.count).drop { $0 == 0x20 }
      return token.isEmpty ? nil : BearerToken.digest(of: UnsafeBufferPointer(rebasing: token))
    }
    guard let digest else { throw RequestError.missingToken }
    return digest
  }

  /// The scheme in lower case; a space stays a space when the bit of lower case is set.
  private static let scheme = Array("bearer ".utf8)
}
