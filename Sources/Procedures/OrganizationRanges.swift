import TimeclockDomain

/// Organizations that stand one behind the other in the order of their rows.
package struct OrganizationRange: Sendable {
  /// The row before the first.
  package let after: Int64
  /// The last row.
  package let through: Int64

  /// The two as values of a statement.
  var values: [RecordValue] { [.integer(after), .integer(through)] }
}

extension Storage {
  /// Goes through all organizations in parts, so that no statement of the service's own work grows with their number: one that
  /// did would take longer than a statement may, once there are enough of them, and then work for nobody.
  ///
  /// - Parameter body: Gets each part; returns whether to go on with the next.
  package func inOrganizationRanges(_ body: (OrganizationRange) async throws -> Bool) async throws {
    var last = Int64.min
    while true {
      let end = try await first(
        OrganizationRangeRows.end, [.integer(last), .integer(OrganizationRangeRows.size - 1)],
        in: .everyone(because: .jobsLookForWork)
      ) { $0.integer("organization_id") }
      let range = OrganizationRange(after: last, through: end ?? .max)
      guard try await body(range), range.through < .max else { return }
      last = range.through
    }
  }
}

private enum OrganizationRangeRows {
  /// The number of organizations of a part, which take a statement some milliseconds.
  static let size: Int64 = 1_000

  /// The last of a part; none for fewer organizations.
  static let end = RecordStatement(
    "FROM organizations WHERE organization_id > $1 ORDER BY organization_id LIMIT 1 OFFSET $2",
    columns: RecordColumns("organization_id"), across: .jobsLookForWork)
}
