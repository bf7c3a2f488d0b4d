import TimeclockDomain

/// The accounts that older versions made by other keys of e-mail addresses than `EmailAddress.key`, as a storage gives them
/// their present keys when it is opened.
///
/// No migration can do it, because no SQL of both databases folds, composes and writes domains as the domain does. An
/// address in ASCII, without a label in ASCII of an international name, has its key already, so few rows are looked at,
/// and most databases have none.
///
/// An account stays as it is if another one has the key: both keep working, distinguished by `EmailAddress.formerKey`.
package enum EmailKeyUpdate {
  /// An account, by the row's number, and its stored key.
  package typealias Row = (key: Int64, id: UserID, emailKey: String)

  /// The condition on accounts whose key may be another one.
  package static let sqliteCondition =
    "length(email_key) <> length(CAST(email_key AS BLOB)) OR email_key LIKE '%xn--%'"
  package static let postgresqlCondition =
    "char_length(email_key) <> octet_length(email_key) OR email_key LIKE '%xn--%'"

  /// Gives each account its key.
  ///
  /// - Parameters:
  ///   - rows: The accounts that the condition finds, the oldest first.
  ///   - setKey: Writes a key, and returns false if another account has it.
  ///   - report: Called with a sentence for the log if accounts share an address. It names ids, and no address.
  package static func run(
    _ rows: [Row], setKey: (Row, String) throws -> Bool, report: (String) -> Void
  ) rethrows {
    var sharing: [UserID] = []
    for row in rows {
      let key = EmailAddress.key(of: row.emailKey)
      guard !key.utf8.elementsEqual(row.emailKey.utf8) else { continue }
      if try !setKey(row, key) { sharing.append(row.id) }
    }
    guard !sharing.isEmpty else { return }
    let shown = sharing.prefix(shownLimit).map(\.text).joined(separator: ", ")
    let rest = sharing.count > shownLimit ? " and \(sharing.count - shownLimit) more" : ""
    report(
      """
      \(sharing.count) accounts have e-mail addresses that are those of other accounts, in another spelling. They keep \
      working; give each another address (docs/people.md): \(shown)\(rest).
      """)
  }

  /// The most accounts that a sentence names.
  private static let shownLimit = 20
}
