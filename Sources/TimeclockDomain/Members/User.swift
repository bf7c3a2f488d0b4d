/// The public id of a person, the same in every organization the person belongs to.
package typealias UserID = Identifier<User>

/// A person with an account. A membership in an organization says what the person may do.
///
/// Address, name and language are those of the organization that made the account; others that added it see their own
/// texts (`Member`).
package struct User: Hashable, Sendable {
  package var id: UserID
  package var email: String
  package var name: String
  /// The language in which the person reads the service's pages; nil if none was chosen.
  package var language: Language?

  package init(id: UserID, email: String, name: String, language: Language?) {
    self.id = id
    self.email = email
    self.name = name
    self.language = language
  }
}
