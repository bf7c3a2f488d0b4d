/// The kind of an absence as its record has it, or as a reader sees it.
package enum ShownAbsenceKind: RawRepresentable, CaseIterable, Hashable, Sendable {
  case shown(AbsenceKind)
  /// The kind is not for the reader, or it is gone with the name of the member.
  case absent

  package static let allCases = AbsenceKind.allCases.map(shown) + [.absent]

  /// The word for a kind that is not shown.
  package static let absentWord = "absent"

  package var rawValue: String {
    switch self {
    case .shown(let kind): kind.rawValue
    case .absent: Self.absentWord
    }
  }

  package init?(rawValue: String) {
    if rawValue == Self.absentWord {
      self = .absent
    } else if let kind = AbsenceKind(rawValue: rawValue) {
      self = .shown(kind)
    } else {
      return nil
    }
  }
}
