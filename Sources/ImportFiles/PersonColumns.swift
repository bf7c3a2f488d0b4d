/// The names of the columns of people, in files that somebody makes by hand, the usual one first.
package enum PersonColumns {
  package static let email = [
    "email", "user email", "email address", "member email", "mail", "E-Mail-Adresse",
  ]
  package static let name = [
    "name", "user", "member", "user name", "full name", "display name", "employee", "Mitarbeiter",
  ]
  package static let firstName = ["first name", "given name", "Vorname"]
  package static let lastName = ["last name", "surname", "family name", "Nachname", "Familienname"]

  /// The name as names of columns are compared: without capitals, spaces, hyphens and underscores.
  package static func key(_ name: String) -> String { ImportHeader.key(name) }
}
