extension AbsenceRow {
  /// The most halves that one group of a member's absences may take of a date.
  static let room = 2

  /// The absences for which this one leaves no room: those of its group on the dates that would be taken more than once.
  /// Sick absences are one group, all others together another, for somebody may fall ill on vacation.
  ///
  /// Only requested and approved absences take room, this one as if it were one of them. Portions in seconds always have
  /// room.
  ///
  /// - Parameter others: Absences of the same member, in any order; itself among them is left out.
  /// - Returns: Those in the way, by their first date.
  package func overlaps(among others: [AbsenceRow]) -> [AbsenceRow] {
    let rivals = others.filter(isRival).sorted { ($0.first, $0.number) < ($1.first, $1.number) }
    var current: [AbsenceRow] = []
    var found: Set<Int64> = []
    // More is taken from a date on only if an absence begins there.
    for rival in rivals {
      current.removeAll { $0.last < rival.first }
      current.append(rival)
      guard current.reduce(portion.weight, { $0 + $1.portion.weight }) > Self.room else { continue }
      found.formUnion(current.map(\.number))
    }
    return rivals.filter { found.contains($0.number) }
  }

  /// Whether the other takes room that this one asks for, on some date.
  private func isRival(_ other: AbsenceRow) -> Bool {
    other.number != number && other.state.holdsDates && portion.weight > 0 && other.portion.weight > 0
      && (other.kind == .sick) == (kind == .sick) && first <= other.last && other.first <= last
  }
}
