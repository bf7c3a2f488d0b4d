import Credentials
import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Adds a member.
  static let createMember = Operation(
    "createMember", .post, "/v1/organizations/{organizationID}/members", .role(.admin)
  ) { request in
    try request.requireNoQuery()
    let (new, password) = try request.body { body in
      (
        NewMemberRequest(
          email: body.string("email"), name: body.string("name"), role: body.choice("role") ?? .member,
          timeZone: body.optionalString("timeZone")), body.optionalString("password")
      )
    }
    var passwordHash: PasswordHash?
    if let password { passwordHash = try await request.context.passwords.hash(password) }
    let member = try await request.timeclock.createMember(
      new, passwordHash: passwordHash, by: request.requireMembership())
    return .json(status: .created, version: member.version, location: member.location, member.payload)
  }
}
