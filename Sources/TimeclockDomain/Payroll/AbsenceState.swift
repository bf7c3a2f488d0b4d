/// The stages of an absence.
package enum AbsenceState: String, CaseIterable, Sendable {
  case requested
  case approved
  case refused
  case canceled

  /// Whether it takes room on its dates: it counts, or may come to count.
  package var holdsDates: Bool { self == .requested || self == .approved }
}
