/// A walk through absences that stand in the order of their first dates.
struct AbsencesCursor {
  private let all: [AbsenceRow]
  private var place = 0
  /// Those of the current date, in the order in which they take their parts of it.
  private(set) var current: [AbsenceRow] = []

  /// - Parameter all: By their first dates.
  init(_ all: [AbsenceRow]) {
    self.all = all
  }

  /// Goes on to a date. Dates come in their order.
  mutating func move(to date: LocalDate) {
    if !current.isEmpty { current.removeAll { $0.last < date } }
    while place < all.count, all[place].first <= date {
      let absence = all[place]
      place += 1
      guard absence.last >= date else { continue }
      current.insert(absence, at: current.firstIndex { absence.takesBefore($0) } ?? current.count)
    }
  }
}
