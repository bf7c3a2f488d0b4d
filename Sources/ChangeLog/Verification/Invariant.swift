/// A rule that holds in every database, after any write. The database's constraints keep these rules; they are checked
/// once more, because the owner of a database can turn constraints off.
package struct Invariant: Sendable {
  /// The words that follow the number of rows that break the rule.
  package let title: String
  /// Counts the rows that break the rule, in SQL that both databases read alike, with columns that every schema has.
  package let query: String

  package static let all = [
    Invariant(
      title: "entries begin before another one of the same member has ended",
      query: """
        SELECT count(*) FROM (SELECT clock_in, max(coalesce(clock_out, 9223372036854775807)) OVER (
          PARTITION BY organization_id, user_id ORDER BY clock_in ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS reached FROM time_entries) AS spans WHERE reached > clock_in
        """),
    Invariant(
      title: "members have more than one active entry",
      query: """
        SELECT count(*) FROM (SELECT 1 FROM time_entries WHERE clock_out IS NULL
          GROUP BY organization_id, user_id HAVING count(*) > 1) AS active
        """),
    Invariant(
      title: "entries do not end after they begin",
      query: "SELECT count(*) FROM time_entries WHERE clock_out <= clock_in"),
    Invariant(
      // One that is being deleted has no name any more.
      title: "organizations have no active admin",
      query: """
        SELECT count(*) FROM organizations o WHERE o.name <> '' AND NOT EXISTS (
          SELECT 1 FROM members m
          WHERE m.organization_id = o.organization_id AND m.role = 'admin' AND m.active)
        """),
  ]
}

extension AuditedDatabase {
  /// Returns the broken invariants, a line for each.
  package func invariantFaults() throws -> [String] {
    try Invariant.all.compactMap { invariant in
      let count = try count(invariant.query)
      return count == 0 ? nil : "\(count) \(invariant.title)"
    }
  }
}
