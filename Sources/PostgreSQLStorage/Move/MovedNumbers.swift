import DatabaseCopy
import TimeclockDomain

/// The numbers of rows that are others in the target: those of the organization, of accounts and of API tokens. All other
/// numbers are an organization's own, since every key of its rows begins with the organization's number.
struct MovedNumbers {
  /// The organization's number in the source, and in the target.
  let organization: (old: Int64, new: Int64)
  /// The number of each member's account in the target, by that in the source.
  let users: [Int64: Int64]
  /// The numbers in the target of accounts that were there before.
  let knownUsers: Set<Int64>
  let tokens: [Int64: Int64]

  /// Takes new numbers from the target. Those of a move that fails are missing afterwards.
  ///
  /// - Throws: `MoveError.otherAccounts`; `PostgreSQLError`.
  init(
    of organization: Int64, from source: PostgreSQLCopyConnection, to target: PostgreSQLCopyConnection
  ) throws {
    let accounts = try MovedAccounts(of: organization, from: source, to: target)
    var users = accounts.known
    let tokens = try source.rows(
      "SELECT token_id FROM tokens WHERE organization_id = \(organization) ORDER BY token_id"
    ).map { $0.integer(0) }
    func pairs(_ old: [Int64], _ table: String, _ column: String) throws -> [Int64: Int64] {
      Dictionary(
        uniqueKeysWithValues: zip(old, try target.nextNumbers(of: table, column, count: old.count)))
    }
    users.merge(try pairs(accounts.new, "users", "user_id")) { known, _ in known }
    self.users = users
    knownUsers = Set(accounts.known.values)
    self.tokens = try pairs(tokens, "tokens", "token_id")
    let number = try pairs([organization], "organizations", "organization_id")[organization]
    self.organization = (organization, number ?? 0)
  }

  /// Gives a row of a table the target's numbers.
  ///
  /// - Throws: `CopyError.malformedRow`, also for a number of an account or a token that does not come along.
  func moved(_ row: UnsafeRawBufferPointer, of table: CopiedTable) throws -> [UInt8] {
    var moved = RowBytes()
    moved.begin(columnCount: table.columns.count)
    var reader = try RowBytesReader(row, of: table)
    for column in table.columns {
      guard let value = try reader.next() else {
        moved.appendNull()
        continue
      }
      guard column.kind == .integer, Self.columns.contains(column.name) else {
        moved.append(value)
        continue
      }
      let old = try RowBytesReader.integer(value, of: table)
      guard let new = new(old, in: column.name) else { throw CopyError.malformedRow(table: table.name) }
      moved.append(new)
    }
    return moved.bytes
  }

  private func new(_ number: Int64, in column: String) -> Int64? {
    switch column {
    case "organization_id": number == organization.old ? organization.new : nil
    case "token_id": tokens[number]
    default: users[number]
    }
  }

  /// The columns with these numbers, in every table where they are integers.
  static let columns: Set<String> = ["organization_id", "user_id", "owner_id", "token_id"]
}

/// The accounts of an organization's members: an account is the same in both cells if it has the same id.
struct MovedAccounts {
  /// Numbers in the target of accounts that are there already, by those in the source.
  private(set) var known: [Int64: Int64] = [:]
  /// The numbers in the source of the others, in order.
  private(set) var new: [Int64] = []

  /// - Throws: `MoveError.otherAccounts`; `PostgreSQLError`.
  init(
    of organization: Int64, from source: PostgreSQLCopyConnection, to target: PostgreSQLCopyConnection
  ) throws {
    let people = try source.rows(
      """
      SELECT user_id, id::text, email_key, email FROM users WHERE user_id IN ( \
      SELECT user_id FROM members WHERE organization_id = \(organization)) ORDER BY user_id
      """
    ).map { (number: $0.integer(0), id: $0.text(1), key: $0.text(2), address: $0.text(3)) }
    let found = try target.rows(
      "SELECT user_id, id::text, email_key FROM users WHERE id = ANY ($1::uuid[]) OR email_key = ANY ($2::text[])",
      [ArrayText.of(people.map(\.id)), ArrayText.of(people.map(\.key))]
    ).map { (number: $0.integer(0), id: $0.text(1), key: $0.text(2)) }
    let numbers = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.number) })
    let keys = Set(found.map(\.key))
    var others: [String] = []
    for person in people {
      if let number = numbers[person.id] {
        known[person.number] = number
      } else if keys.contains(person.key) {
        others.append(person.address)
      } else {
        new.append(person.number)
      }
    }
    guard others.isEmpty else { throw MoveError.otherAccounts(addresses: others) }
  }
}

/// Arrays as values of statements (postgresql.org/docs/current/arrays.html#ARRAYS-IO).
enum ArrayText {
  /// The text of an array of texts, each in quotation marks.
  static func of(_ elements: [String]) -> String {
    let quoted = elements.map { element in
      "\"" + element.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
    }
    return "{\(quoted.joined(separator: ","))}"
  }
}

extension PostgreSQLCopyConnection {
  /// Takes numbers that a column has given to no row yet, in order.
  fileprivate func nextNumbers(of table: String, _ column: String, count: Int) throws -> [Int64] {
    try rows(
      """
      SELECT nextval(pg_get_serial_sequence('\(table)', '\(column)')) FROM generate_series(1, \(count))
      """
    ).map { $0.integer(0) }
  }

  /// Makes the next numbers of a column greater than this one, beside others who take some.
  ///
  /// A sequence that is set could go back behind numbers that others have taken since it was looked at. So it is set only where it
  /// is further behind than anybody could take it meanwhile, and else passes number by number.
  func passNumber(_ number: Int64, of table: String, _ column: String) throws {
    guard let sequence = try connection.execute("SELECT pg_get_serial_sequence('\(table)', '\(column)')")
    else {
      throw MoveError.differs(table: table)
    }
    let last = "coalesce(pg_sequence_last_value('\(sequence)'), 0)"
    try connection.execute(
      """
      SELECT setval('\(sequence)', \(number)) WHERE \(number) - \(last) > 1000000; \
      SELECT count(nextval('\(sequence)')) FROM generate_series(1, \(number) - \(last))
      """)
  }
}
