/// The reasons for which members are absent.
package enum AbsenceKind: String, CaseIterable, Sendable {
  case sick
  case training
  case special
  case other
  case vacation
  case unpaid
  case parental
  /// Time off that is taken from the balance.
  case flextime

  /// The order in which absences of one date take their part of the plan: a lower rank first.
  package var rank: Int {
    switch self {
    case .sick: 1
    case .training, .special, .other: 2
    case .vacation: 3
    case .unpaid, .parental: 4
    case .flextime: 5
    }
  }

  /// Whether the member owes less work; time that is owed as before costs the balance.
  package var reducesTarget: Bool { self != .flextime }

  /// Whether its time is paid as if it had been worked.
  package var isCredited: Bool {
    switch self {
    case .sick, .training, .special, .other, .vacation: true
    case .unpaid, .parental, .flextime: false
    }
  }

  /// Whether its days are taken from the member's entitlement of the year.
  package var usesEntitlement: Bool { self == .vacation }

  /// A kind with the same effect on every sum of a member, which tells nothing else of the reason. Only the order in which
  /// credited absences of one date take their parts may differ, and what they take together does not.
  package var effect: AbsenceKind {
    switch self {
    case .sick, .training, .special, .other: .other
    case .vacation: .vacation
    case .unpaid, .parental: .unpaid
    case .flextime: .flextime
    }
  }
}

extension Set<AbsenceKind> {
  /// The kinds in the order in which they are listed everywhere.
  package var inOrder: [AbsenceKind] { AbsenceKind.allCases.filter(contains) }

  /// The words of the kinds, with spaces between them.
  package var stored: String { inOrder.map(\.rawValue).joined(separator: " ") }

  /// The kinds of a text that `stored` wrote.
  package init(storedAbsenceKinds text: String) {
    self.init(text.split(separator: " ").compactMap { AbsenceKind(rawValue: String($0)) })
  }
}
