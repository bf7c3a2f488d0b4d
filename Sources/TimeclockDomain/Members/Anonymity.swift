/// The replacements of a person's name and e-mail address once they are anonymized.
package enum Anonymity {
  package static let name = "Anonymous"

  /// An address that is this person's and reaches nobody: names under `invalid` never resolve (RFC 6761,
  /// section 6.4).
  package static func email(of userID: UserID) -> String {
    "anonymous+\(userID)@invalid"
  }
}

extension Member {
  /// The member without identifying data.
  package var anonymous: Member {
    var member = self
    member.email = Anonymity.email(of: userID)
    member.name = Anonymity.name
    member.timeZone = nil
    member.language = nil
    member.personnelNumber = nil
    return member
  }
}
