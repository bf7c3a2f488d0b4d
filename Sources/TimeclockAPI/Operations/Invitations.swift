import Credentials
import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the organization's invitations without their tokens.
  static let listInvitations = Operation("listInvitations") { request in
    let (limit, cursor, list) = try request.query { query in
      let list = try request.list("listInvitations", query)
      return (query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.invitations(
      after: cursor, limit: limit, for: request.requireMembership())
    return page.response("invitations", of: list) { $1.write(to: &$0) }
  }

  /// Invites a member. The answer is the token's only showing.
  static let createInvitation = Operation("createInvitation") { request in
    try request.requireNoQuery()
    let (userID, expiresAt) = try request.body { body in
      (body.identifier("userId") as UserID, body.optionalInstant("expiresAt"))
    }
    let membership = try request.requireMembership()
    let token = BearerToken()
    return try await request.once(secrecy: .answer) { invitation in
      var writer = JSONWriter()
      invitation.write(to: &writer, secret: token.text)
      let location = "/v1/organizations/\(membership.organizationID)/invitations/\(invitation.id)"
      return .json(status: .created, location: location, writer.bytes)
    } perform: { recording in
      try await request.timeclock.createInvitation(
        for: userID, expiresAt: expiresAt, digest: token.digest, by: membership, recording: recording)
    }
  }

  /// Revokes an invitation.
  static let deleteInvitation = Operation("deleteInvitation") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    try await request.timeclock.deleteInvitation(
      request.pathIdentifier(.invitation), by: request.requireMembership())
    return .noContent
  }
}

extension Invitation {
  /// Writes the contract's Invitation.
  ///
  /// - Parameter secret: The token, right after it was made; nil at any later time.
  func write(to writer: inout JSONWriter, secret: String? = nil) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("userId", userID)
      writer.member("createdAt", createdAt)
      writer.member("expiresAt", expiresAt)
      if let secret { writer.member("token", secret) }
    }
  }
}
