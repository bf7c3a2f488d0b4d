/// The public id of a person, the same in every organization the person belongs to.
package typealias UserID = Identifier<User>

/// A person with an account. A membership in an organization says what the person may do.
///
/// Address and name are those of the organization that made the account; others that added it are shown what they wrote
/// themselves (`Member`).
package struct User: Hashable, Sendable {
  package var id: UserID
  package var email: String
  package var name: String

  package init(id: UserID, email: String, name: String) {
    self.id = id
    self.email = email
    self.name = name
  }
}
