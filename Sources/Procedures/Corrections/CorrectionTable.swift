import TimeclockDomain

extension Correction: JudgedRecord {
  package static let table = ShapedTable(shape)

  /// Those that await a decision.
  package static let limited = RecordStatement(
    "FROM corrections r WHERE r.organization_id = $1 AND r.user_id = $2 AND r.state = 'open'",
    columns: RecordColumns([("count", "count(*)")]))

  /// A correction is judged by the change that it makes, and by nothing of the member's other ones.
  package static func judge<Transaction: RecordTransaction>(
    _ change: MemberRecordChange<Correction>, _ transaction: Transaction
  ) async throws -> [String: Int64?] {
    [:]
  }
}

/// The corrections that a list shows.
package struct CorrectionFilter: Sendable {
  package var members: MemberSelection
  /// Nil for every state.
  package var state: CorrectionState?

  package init(members: MemberSelection = .everybody, state: CorrectionState? = nil) {
    self.members = members
    self.state = state
  }
}

extension Correction {
  /// A value behind those of every page is the state, of which an empty text means all.
  fileprivate static let pages = SelectingStatements(by: "r.user_id", row: "$5") {
    table.page(where: "$4 IN ('', r.state)\($0)")
  }
}

private enum ObjectionStatements {
  /// The entries of corrections to which members object.
  static let entries = SelectingStatements(by: "r.user_id", row: "$2") {
    RecordStatement(
      """
      FROM corrections r WHERE r.organization_id = $1 AND r.state = 'objected' AND r.time_entry_id IS NOT NULL\($0)
      """, columns: RecordColumns([("time_entry_id", "r.time_entry_id")]))
  }
}

extension OpenCorrection {
  /// Those of the member `$2`; the start is null of one whose entry is gone.
  fileprivate static let ofMember = RecordStatement(
    """
    FROM corrections r LEFT JOIN time_entries e ON e.organization_id = r.organization_id AND e.id = r.time_entry_id \
    WHERE r.organization_id = $1 AND r.user_id = $2 AND r.state = 'open' ORDER BY r.correction_id
    """,
    columns: RecordColumns([
      ("time_entry_id", "r.time_entry_id"), ("start", "coalesce(e.clock_in, r.clock_in_time)"),
    ]))

  /// - Returns: Nil for one whose entry is gone.
  fileprivate static func read<Row>(_ row: inout RecordRow<Row>) throws -> OpenCorrection? {
    let id: TimeEntryID? = try row.optionalIdentifier("time_entry_id")
    return row.optionalInstant("start").map { OpenCorrection(timeEntryID: id, start: $0) }
  }
}

extension Storage {
  /// The corrections of a member's time that await a decision, in the order in which they were made; not those of which
  /// the entry is gone.
  package func openCorrections(of member: MemberKey) async throws -> [OpenCorrection] {
    try await read(
      OpenCorrection.ofMember, [.key(member.organization), .key(member.user)],
      in: .organization(member.organization), limit: Int(Correction.limit.count), OpenCorrection.read
    ).compactMap { $0 }
  }

  /// The entries to whose change by somebody else the member objects, of any dates; some of them may be gone.
  package func objectedEntries(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> Set<TimeEntryID> {
    let ids = try await read(
      ObjectionStatements.entries[members], [.key(organization)] + members.values,
      in: .organization(organization), limit: 100
    ) { row in try row.identifier("time_entry_id") as TimeEntryID }
    return Set(ids)
  }

  /// A page of corrections, in the order in which they were made.
  package func corrections(
    _ filter: CorrectionFilter, in organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Correction, RowCursor> {
    try await records(
      Correction.pages[filter.members], of: organization, after: cursor, limit: limit,
      and: [.text(filter.state?.rawValue ?? "")] + filter.members.values)
  }
}
