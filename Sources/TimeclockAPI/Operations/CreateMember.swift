import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Adds a member.
  static let createMember = Operation("createMember") { request in
    try request.requireNoQuery()
    let (new, password) = try request.body { body in
      (
        NewMemberRequest(
          email: body.string("email"), name: body.string("name"), role: body.choice("role") ?? .member,
          timeZone: body.optionalString("timeZone"),
          personnelNumber: body.optionalString("personnelNumber")), body.setPassword()
      )
    }
    let membership = try request.requireMembership()
    let secrecy = password.text.map { _ in RequestSecrecy.password(request.hashingCaller) } ?? .none
    return try await request.once(secrecy: secrecy) { member in
      .json(status: .created, version: member.version, location: member.location, member.payload)
    } perform: { recording in
      try await request.timeclock.createMember(
        new, password: request.newPassword(password), by: membership,
        recording: recording)
    }
  }
}
