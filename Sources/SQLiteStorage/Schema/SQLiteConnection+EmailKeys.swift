import Procedures
import TimeclockDomain

extension SQLiteConnection {
  /// Gives accounts of older versions their present keys of e-mail addresses (`EmailKeyUpdate`), each in a transaction of its
  /// own: an update that is cut off goes on at the next start.
  ///
  /// - Throws: `SQLiteError`.
  func updateEmailKeys(report: (String) -> Void) throws {
    let rows: [EmailKeyUpdate.Row] = try statement(
      built:
        "SELECT user_id, email_key, id FROM users WHERE \(EmailKeyUpdate.sqliteCondition) ORDER BY user_id"
    ).all([]) { (key: $0.integer(0), id: try $0.identifier(2), emailKey: $0.text(1)) }
    guard !rows.isEmpty else { return }
    try EmailKeyUpdate.run(
      rows,
      setKey: { row, key in
        try statement(
          """
          UPDATE users SET email_key = ?2 WHERE user_id = ?1
            AND NOT EXISTS (SELECT 1 FROM users WHERE email_key = ?2) RETURNING user_id
          """
        ).first([.integer(row.key), .text(key)]) { $0.integer(0) } != nil
      }, report: report)
  }
}
