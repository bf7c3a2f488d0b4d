/// The rights of a member; each role may do all that the ones before it may.
package enum Role: String, CaseIterable, Comparable, Sendable {
  /// The member's own entries.
  case member
  /// Everyone's entries.
  case manager
  /// Members, tokens and settings too.
  case admin

  package static func < (first: Role, second: Role) -> Bool {
    first.rank < second.rank
  }

  private var rank: Int {
    switch self {
    case .member: 0
    case .manager: 1
    case .admin: 2
    }
  }
}
