/// The parts of a member's absence that rules and sums depend on.
package struct AbsenceRow: Hashable, Sendable {
  /// The storage's row; of two absences the one that was made later has the greater number.
  package var number: Int64
  package var kind: AbsenceKind
  package var first: LocalDate
  /// Not before `first`.
  package var last: LocalDate
  package var portion: AbsencePortion
  package var state: AbsenceState

  package init(
    number: Int64, kind: AbsenceKind, first: LocalDate, last: LocalDate, portion: AbsencePortion = .day,
    state: AbsenceState = .approved
  ) {
    self.number = number
    self.kind = kind
    self.first = first
    self.last = last
    self.portion = portion
    self.state = state
  }

  /// Checks the order of its dates.
  ///
  /// - Throws: `TimeclockError.invalidDateRange`.
  package func validate() throws {
    guard first <= last else { throw TimeclockError.invalidDateRange }
  }

  /// Whether it takes its part of a date before the other does: by rank, then by creation.
  func takesBefore(_ other: AbsenceRow) -> Bool {
    (kind.rank, number) < (other.kind.rank, other.number)
  }
}
