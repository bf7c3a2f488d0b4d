import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Returns a member's account and current week.
  static let getAccount = Operation("getAccount") { request in
    let asOf = try request.query { $0.instant("asOf") }
    try request.requireNoBody()
    let account = try await request.timeclock.account(
      of: request.pathIdentifier(.member), asOf: asOf, for: request.requireMembership())
    return .json(account.payload)
  }
}
