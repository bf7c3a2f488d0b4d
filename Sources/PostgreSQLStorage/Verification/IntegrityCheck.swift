/// Asks PostgreSQL whether its tables still keep their own rules, inside a transaction.
///
/// The rules are read from its catalogs, so a migration's new rule is checked too. A failing disk shows in the server's
/// checksums of pages and in `amcheck`, if the extension is there and the role may use it.
struct IntegrityCheck {
  let connection: EstablishedConnection

  /// The faults that it finds, a line each.
  func faults() throws -> [String] {
    let broken = try list(Self.brokenRules).map { "\($0) is not in force" }
    return try broken + countedFaults() + indexFaults()
  }

  /// The rows that break a constraint.
  private func countedFaults() throws -> [String] {
    try list(Self.constraints).compactMap { line in
      let parts = line.split(separator: Self.separator, maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let count = try connection.execute(String(parts[1])) ?? "0"
      return count == "0" ? nil : "\(count) rows break the rule \(parts[0])"
    }
  }

  private func indexFaults() throws -> [String] {
    guard
      try connection.execute(
        """
        SELECT coalesce(has_function_privilege(to_regprocedure('bt_index_check(regclass)'), 'EXECUTE'), FALSE)
        """) == "t"
    else { return [] }
    return try list(Self.indexes).compactMap { index in
      // A failure ends the work since the savepoint, and not the transaction with its moment.
      try connection.execute("SAVEPOINT index_check")
      do {
        try connection.execute("SELECT bt_index_check('\(index)'::regclass); RELEASE index_check")
        return nil
      } catch let error as PostgreSQLError where !error.endsConnection {
        try connection.execute("ROLLBACK TO index_check; RELEASE index_check")
        return "the index \(index): \(error.message)"
      }
    }
  }

  /// The lines that a query gives as its one value.
  private func list(_ query: String) throws -> [String] {
    let text = try connection.execute(
      "SELECT string_agg(line, E'\\x1e' ORDER BY line) FROM (\(query)) AS lines (line)")
    return (text ?? "").split(separator: "\u{1e}").map(String.init)
  }

  private static let separator: Character = "\u{1f}"

  private static let tables = """
    (SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') \
    AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'organizations'::regclass))
    """

  private static let brokenRules = """
    SELECT 'the constraint ' || conname FROM pg_constraint WHERE conrelid IN \(tables) AND NOT convalidated \
    UNION ALL SELECT 'the index ' || indexrelid::regclass FROM pg_index \
    WHERE indrelid IN \(tables) AND NOT (indisvalid AND indisready)
    """

  /// Each check and each reference by its name, with a query that counts the rows that break it. A reference with a null
  /// refers to nothing (MATCH SIMPLE).
  private static let constraints = """
    SELECT conname || E'\\x1f' || format('SELECT count(*) FROM %s WHERE NOT (%s)', conrelid::regclass, \
    pg_get_expr(conbin, conrelid)) FROM pg_constraint WHERE contype = 'c' AND conrelid IN \(tables) \
    UNION ALL SELECT conname || E'\\x1f' || format( \
    'SELECT count(*) FROM %s r WHERE %s AND NOT EXISTS (SELECT 1 FROM %s t WHERE %s)', conrelid::regclass, \
    (SELECT string_agg(format('r.%I IS NOT NULL', a.attname), ' AND ') FROM pg_attribute a \
    WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)), confrelid::regclass, \
    (SELECT string_agg(format('t.%I = r.%I', t.attname, r.attname), ' AND ') \
    FROM unnest(c.conkey, c.confkey) AS k (referring, referred) \
    JOIN pg_attribute r ON r.attrelid = c.conrelid AND r.attnum = k.referring \
    JOIN pg_attribute t ON t.attrelid = c.confrelid AND t.attnum = k.referred)) \
    FROM pg_constraint c WHERE contype = 'f' AND conrelid IN \(tables)
    """

  private static let indexes = """
    SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid \
    WHERE i.indrelid IN \(tables) AND x.relam = (SELECT oid FROM pg_am WHERE amname = 'btree')
    """
}
