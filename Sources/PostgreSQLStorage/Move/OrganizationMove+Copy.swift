import ChangeLog
import DatabaseCopy
import TimeclockDomain

extension OrganizationMove {
  /// Copies everything into the target, in one transaction that is compared and verified before it commits.
  ///
  /// - Throws: `MoveError`; the databases' errors.
  func copy(_ report: (CopyProgress) -> Void) throws -> CopyResult {
    // Numbers that are taken stay so, also of a move that fails.
    let numbers = try MovedNumbers(of: number, from: source, to: target)
    let answers = try AnswerDigests(of: numbers.knownUsers, in: target)
    try source.connection.execute(
      "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(RowScope.Setting.everyoneInTransaction)")
    guard
      try source.number("SELECT count(*) FROM unsealed_changes WHERE organization_id = \(number)") == 0
    else { throw MoveError.unsealedChanges }
    try target.connection.execute("BEGIN; \(RowScope.Setting.everyoneInTransaction)")
    let sums = try CopiedTable.ofMove.map { table in
      (table: table, sum: try write(table, numbers, answers, report))
    }
    for (table, written) in sums {
      var progress = CopyProgress(step: .verifying, table: table.name, total: written.count)
      var read = RowSum()
      try target.forEachRow(of: table, in: .move(numbers.organization.new)) { row in
        guard try isMoved(row, of: table, numbers, answers) else { return }
        read.add(row)
        if progress.count() { report(progress) }
      }
      guard read == written else { throw MoveError.differs(table: table.name) }
    }
    if isAudited { try audit(numbers.organization.new) }
    try arrive(numbers.organization.new)
    try source.connection.execute("COMMIT")
    return CopyResult(
      rowCounts: sums.map { ($0.table.name, $0.sum.count) }, checksum: RowSum.checksum(of: sums))
  }

  /// Writes the rows of one table, and passes their numbers.
  private func write(
    _ table: CopiedTable, _ numbers: MovedNumbers, _ answers: AnswerDigests, _ report: (CopyProgress) -> Void
  ) throws -> RowSum {
    let scope = CopyScope.move(number)
    var progress = CopyProgress(
      step: .copying, table: table.name, total: try source.rowCount(of: table, in: scope))
    var sum = RowSum()
    if let column = table.numbering?.column, !MovedNumbers.columns.contains(column) {
      let last = try source.number("SELECT max(\(column)) FROM \(table.name) WHERE \(table.condition(scope))")
      try target.passNumber(last, of: table.name, column)
    }
    try target.write(table) { write in
      try source.forEachRow(of: table, in: scope) { row in
        try numbers.moved(row, of: table).withUnsafeBytes { row in
          guard try isToMove(row, of: table, numbers, answers) else { return }
          sum.add(row)
          try write(row)
        }
        if progress.count() { report(progress) }
      }
    }
    return sum
  }

  /// Whether a row is written to the target: no account that it knows, and no answer under a key that is taken there.
  private func isToMove(
    _ row: UnsafeRawBufferPointer, of table: CopiedTable, _ numbers: MovedNumbers, _ answers: AnswerDigests
  ) throws -> Bool {
    switch table.name {
    case "users": try !isKnown(row, of: table, numbers)
    case "idempotency_keys": answers.take(try digest(in: row, of: table))
    default: true
    }
  }

  /// Whether a row of the target is one that was written. The people whom it knew before have other answers there, also new ones.
  private func isMoved(
    _ row: UnsafeRawBufferPointer, of table: CopiedTable, _ numbers: MovedNumbers, _ answers: AnswerDigests
  ) throws -> Bool {
    switch table.name {
    case "users": try !isKnown(row, of: table, numbers)
    case "idempotency_keys": answers.moved.contains(try digest(in: row, of: table))
    default: true
    }
  }

  private func isKnown(
    _ account: UnsafeRawBufferPointer, of table: CopiedTable, _ numbers: MovedNumbers
  ) throws -> Bool {
    numbers.knownUsers.contains(try RowBytesReader.integer(first(of: account, table), of: table))
  }

  private func digest(in answer: UnsafeRawBufferPointer, of table: CopiedTable) throws -> [UInt8] {
    Array(try first(of: answer, table))
  }

  /// The first value of a row, which is its key.
  private func first(of row: UnsafeRawBufferPointer, _ table: CopiedTable) throws -> UnsafeRawBufferPointer {
    var reader = try RowBytesReader(row, of: table)
    guard let key = try reader.next() else { throw CopyError.malformedRow(table: table.name) }
    return key
  }

  /// Checks the chain of changes, and every row against it, as `timeclock verify` does.
  private func audit(_ new: Int64) throws {
    let audit = try OrganizationAudit(
      of: (OrganizationKey(new), id), in: PostgreSQLAuditedDatabase(in: target))
    guard audit.faults.isEmpty else { throw MoveError.faults(audit.faults) }
  }

  /// Notes where the organization came from, tells the target's servers, and commits.
  private func arrive(_ new: Int64) throws {
    let epoch = try source.connection.execute(
      "SELECT \(ChangeLogRows.epoch(of: "\(number)")) FROM log_epoch e")
    try target.connection.execute(
      """
      INSERT INTO organization_arrivals (organization_id, epoch, database_epoch) \
      SELECT \(new), '\(epoch ?? LogEpoch.none.text)', e.epoch FROM log_epoch e; \
      SELECT pg_notify('\(AccessListener.channel)', '')
      """)
    do {
      try target.connection.execute("COMMIT")
    } catch let error as PostgreSQLError where error.sqlState.isEmpty || error.endsConnection {
      throw MoveError.outcomeUnknown(reason: error.message)
    }
  }
}

/// The keys of recorded answers, as digests.
private final class AnswerDigests {
  /// Those of people whom the target knew before.
  private let known: Set<[UInt8]>
  /// Those that were written.
  private(set) var moved: Set<[UInt8]> = []

  init(of users: Set<Int64>, in target: PostgreSQLCopyConnection) throws {
    let numbers = users.map { "\($0)" }
    known = Set(
      try target.rows(
        "SELECT digest FROM idempotency_keys WHERE user_id = ANY ($1::bigint[])", [ArrayText.of(numbers)]
      ).map { $0.optionalBytes(0) ?? [] })
  }

  /// Takes a key; false if it is known.
  func take(_ digest: [UInt8]) -> Bool { !known.contains(digest) && moved.insert(digest).inserted }
}
