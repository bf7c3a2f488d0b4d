/// A person to create an account for, or to find one by e-mail address.
package struct NewAccount: Sendable {
  /// The id of the account if one is created.
  package var userID: UserID
  package var email: EmailAddress
  package var name: String
  package var passwordHash: PasswordHash?

  package init(userID: UserID, email: EmailAddress, name: String, passwordHash: PasswordHash?) {
    self.userID = userID
    self.email = email
    self.name = name
    self.passwordHash = passwordHash
  }
}
