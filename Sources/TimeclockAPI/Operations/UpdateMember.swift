import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Changes a member's address, name, role, zone, language, personnel number, password, or whether the membership is active.
  static let updateMember = Operation("updateMember") { request in
    try request.requireNoQuery()
    let userID: UserID = try request.pathIdentifier(.member)
    let (changes, password, version) = try request.optionalBody {
      ($0.memberChanges(), $0.setPassword(), $0.optionalSequence("version"))
    }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.member(userID, for: membership).version
    }
    let member = try await request.timeclock.updateMember(
      userID, changes, password: request.newPassword(password),
      expectedVersion: expectedVersion,
      by: membership)
    return .json(version: member.version, member.payload)
  }
}

/// A password that an admin sets, or none.
struct StatedPassword {
  let text: String?
  /// Whether the person has to change it at the first log-in.
  let isOneTime: Bool
}

extension OperationRequest {
  /// Returns the password that an admin sets; nil if none is stated.
  func newPassword(_ stated: StatedPassword) -> NewPassword? {
    stated.text.map { newPassword($0, isOneTime: stated.isOneTime) }
  }
}

extension ObjectReader {
  /// Reads a password that an admin sets, and whether it has to be changed at the first log-in: that without a password
  /// is refused.
  func setPassword() -> StatedPassword {
    let password = optionalString("password")
    let isOneTime = optionalBool("mustChangePassword") ?? false
    if isOneTime, password == nil {
      refuse("mustChangePassword", code: "conflict", "needs password in the same request")
    }
    return StatedPassword(text: password, isOneTime: isOneTime)
  }

  /// Null is a value only for the zone, the language and the personnel number, if it removes the member's own.
  fileprivate func memberChanges() -> MemberChanges {
    let isZoneGiven = has("timeZone")
    let timeZone = optionalString("timeZone")
    let isLanguageGiven = has("language")
    let language: Language? = optionalChoice("language")
    let isPersonnelNumberGiven = has("personnelNumber")
    let personnelNumber = optionalString("personnelNumber")
    return MemberChanges(
      email: optionalString("email"), name: optionalString("name"), role: optionalChoice("role"),
      timeZone: isZoneGiven ? .some(timeZone) : nil, language: isLanguageGiven ? .some(language) : nil,
      personnelNumber: isPersonnelNumberGiven ? .some(personnelNumber) : nil, isActive: optionalBool("active")
    )
  }
}
