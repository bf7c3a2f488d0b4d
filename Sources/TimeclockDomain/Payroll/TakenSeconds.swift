/// Seconds of the plan that absences took, by kind.
package struct TakenSeconds: Hashable, Sendable {
  /// A place for each kind; in one value, so that adding up many dates allocates nothing.
  private var seconds = SIMD8<Int64>()

  package init() {}

  package subscript(kind: AbsenceKind) -> Int64 {
    get { seconds[kind.place] }
    set { seconds[kind.place] = newValue }
  }

  /// The seconds of all kinds.
  package var all: Int64 { seconds.wrappedSum() }

  /// The seconds of the kinds that are paid as if they had been worked.
  package var credited: Int64 { sum { $0.isCredited } }

  /// The seconds of the kinds that use entitlement.
  package var ofEntitlement: Int64 { sum { $0.usesEntitlement } }

  package static func += (sums: inout TakenSeconds, other: TakenSeconds) {
    sums.seconds &+= other.seconds
  }

  private func sum(of isCounted: (AbsenceKind) -> Bool) -> Int64 {
    AbsenceKind.allCases.reduce(0) { isCounted($1) ? $0 + self[$1] : $0 }
  }
}

extension AbsenceKind {
  fileprivate var place: Int {
    switch self {
    case .sick: 0
    case .training: 1
    case .special: 2
    case .other: 3
    case .vacation: 4
    case .unpaid: 5
    case .parental: 6
    case .flextime: 7
    }
  }
}
