import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Returns one member.
  static let getMember = Operation("getMember") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let member = try await request.timeclock.member(
      request.pathIdentifier(.member), for: request.requireMembership())
    return .json(version: member.version, member.payload)
  }
}
