import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Changes a member's address, name, role, zone, personnel number, password, or whether the membership is active.
  static let updateMember = Operation(
    "updateMember", .patch, "/v1/organizations/{organizationID}/members/{userId}", .role(.admin)
  ) { request in
    try request.requireNoQuery()
    let userID: UserID = try request.pathIdentifier(.member)
    let (changes, password, isOneTime, version) = try request.optionalBody {
      (
        $0.memberChanges(), $0.optionalString("password"), $0.isPasswordOneTime(),
        $0.optionalInteger("version")
      )
    }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.member(userID, for: membership).version
    }
    let member = try await request.timeclock.updateMember(
      userID, changes, password: password.map { request.newPassword($0, isOneTime: isOneTime) },
      expectedVersion: expectedVersion,
      by: membership)
    return .json(version: member.version, member.payload)
  }
}

extension ObjectReader {
  /// Reads whether a password that an admin sets has to be changed at the first log-in. Without a password it means
  /// nothing.
  func isPasswordOneTime() -> Bool { optionalBool("mustChangePassword") ?? false }

  /// Null is a value only for the zone and the personnel number, where it removes the member's own.
  fileprivate func memberChanges() -> MemberChanges {
    let isZoneGiven = has("timeZone")
    let timeZone = optionalString("timeZone")
    let isPersonnelNumberGiven = has("personnelNumber")
    let personnelNumber = optionalString("personnelNumber")
    return MemberChanges(
      email: optionalString("email"), name: optionalString("name"), role: optionalChoice("role"),
      timeZone: isZoneGiven ? .some(timeZone) : nil,
      personnelNumber: isPersonnelNumberGiven ? .some(personnelNumber) : nil, isActive: optionalBool("active")
    )
  }
}
