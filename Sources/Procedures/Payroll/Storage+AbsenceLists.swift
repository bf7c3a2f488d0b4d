import TimeclockDomain

/// The absences that a list shows.
package struct AbsenceFilter: Sendable {
  package var members: MemberSelection
  /// Nil for every state.
  package var state: AbsenceState?
  /// Only absences with a date in the range.
  package var dates: ClosedRange<LocalDate>

  package init(
    members: MemberSelection = .everybody, state: AbsenceState? = nil,
    dates: ClosedRange<LocalDate> = .earliest ... .latest
  ) {
    self.members = members
    self.state = state
    self.dates = dates
  }
}

extension Absence {
  /// Values behind those of every page are the first date, the last date and the state, of which an empty text means all.
  fileprivate static let pages = SelectingStatements(by: "r.user_id", row: "$7") {
    table.page(where: "r.end_date >= $4 AND r.start_date <= $5 AND $6 IN ('', r.state)\($0)")
  }
}

extension Storage {
  /// A page of absences, in the order in which they were made.
  package func absences(
    _ filter: AbsenceFilter, in organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Absence, RowCursor> {
    try await records(
      Absence.pages[filter.members], of: organization, after: cursor, limit: limit,
      and: [
        .date(filter.dates.lowerBound), .date(filter.dates.upperBound), .text(filter.state?.rawValue ?? ""),
      ] + filter.members.values)
  }
}
