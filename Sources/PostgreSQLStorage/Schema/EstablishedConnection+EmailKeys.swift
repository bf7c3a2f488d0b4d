import Procedures
import TimeclockDomain

extension EstablishedConnection {
  /// Gives accounts of older versions their present keys of e-mail addresses (`EmailKeyUpdate`), each in a transaction of its
  /// own: an update that is cut off goes on at the next start.
  ///
  /// - Throws: `PostgreSQLError`.
  func updateEmailKeys(report: (String) -> Void) throws {
    // Each row is the key of the row, its id, and the stored key in hexadecimal digits.
    let list = try execute(
      """
      SELECT string_agg(user_id || ' ' || id || ' ' || encode(convert_to(email_key, 'UTF8'), 'hex'), ','
        ORDER BY user_id) FROM users WHERE \(EmailKeyUpdate.postgresqlCondition)
      """)
    let rows = (list ?? "").split(separator: ",").compactMap { text -> EmailKeyUpdate.Row? in
      let parts = text.split(separator: " ")
      guard parts.count == 3, let key = Int64(parts[0]), let id = UserID(String(parts[1])),
        let emailKey = Self.text(ofHex: parts[2])
      else { return nil }
      return (key, id, emailKey)
    }
    try EmailKeyUpdate.run(
      rows,
      setKey: { row, key in
        let value = "convert_from(decode('\(Self.hex(key))', 'hex'), 'UTF8')"
        do {
          return try execute(
            """
            UPDATE users SET email_key = \(value) WHERE user_id = \(row.key)
              AND NOT EXISTS (SELECT 1 FROM users o WHERE o.email_key = \(value)) RETURNING user_id
            """) != nil
        } catch let error as PostgreSQLError where error.sqlState == "23505" {
          // A server that runs has given the key to somebody meanwhile.
          return false
        }
      }, report: report)
  }

  private static func hex(_ text: String) -> String {
    text.utf8.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func text(ofHex digits: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(digits)
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
