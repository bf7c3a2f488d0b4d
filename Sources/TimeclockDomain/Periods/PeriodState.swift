/// A member with the marks on their time.
package struct PeriodState: Hashable, Sendable {
  package let userID: UserID
  package let userName: String
  package let ends: PeriodEnds
  /// Counts the moves of the marks; 0 before the first.
  package let version: Int64

  package init(userID: UserID, userName: String, ends: PeriodEnds, version: Int64) {
    self.userID = userID
    self.userName = userName
    self.ends = ends
    self.version = version
  }

  /// The state of all dates through one together: the strongest mark that is on all of them.
  package enum Word: String, CaseIterable, Sendable {
    case unsubmitted
    case submitted
    case approved
    case locked
  }
}

extension PeriodEnds {
  /// The state of time that begins at an instant: the strongest mark that ends behind it.
  package func state(of start: Instant) -> PeriodState.Word {
    func holds(_ end: PeriodEnd?) -> Bool { end.map { start < $0.until } ?? false }
    return holds(locked)
      ? .locked : holds(approved) ? .approved : holds(submitted) ? .submitted : .unsubmitted
  }
}

/// The members to list by the state of their time.
package struct PeriodFilter: Hashable, Sendable {
  /// The date through which the state counts.
  package var through: LocalDate
  package var state: PeriodState.Word

  package init(through: LocalDate, state: PeriodState.Word) {
    self.through = through
    self.state = state
  }
}

/// The outcome of a move of several members' marks, each by itself.
package struct PeriodMoves: Sendable {
  package var moved = 0
  /// The members whose marks were there already.
  package var unchanged = 0
  package var refused: [Refusal] = []

  package struct Refusal: Sendable {
    package let userID: UserID
    package let error: TimeclockError

    package init(userID: UserID, error: TimeclockError) {
      self.userID = userID
      self.error = error
    }
  }

  package init() {}
}
