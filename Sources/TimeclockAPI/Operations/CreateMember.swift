import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Adds a member.
  static let createMember = Operation(
    "createMember", .post, "/v1/organizations/{organizationID}/members", .role(.admin)
  ) { request in
    try request.requireNoQuery()
    let (new, password, isOneTime) = try request.body { body in
      (
        NewMemberRequest(
          email: body.string("email"), name: body.string("name"), role: body.choice("role") ?? .member,
          timeZone: body.optionalString("timeZone"),
          personnelNumber: body.optionalString("personnelNumber")), body.optionalString("password"),
        body.isPasswordOneTime()
      )
    }
    let membership = try request.requireMembership()
    let secrecy = password.map { _ in RequestSecrecy.password(request.hashingCaller) } ?? .none
    return try await request.once(secrecy: secrecy) { member in
      .json(status: .created, version: member.version, location: member.location, member.payload)
    } perform: { recording in
      try await request.timeclock.createMember(
        new, password: password.map { request.newPassword($0, isOneTime: isOneTime) }, by: membership,
        recording: recording)
    }
  }
}
