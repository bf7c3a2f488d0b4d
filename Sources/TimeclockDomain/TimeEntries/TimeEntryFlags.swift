/// The unusual properties of a closed entry, judged by the policy in force when it was closed, and its origin.
package struct TimeEntryFlags: OptionSet, Hashable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Shorter than the policy's minimum.
  package static let underMinimum = TimeEntryFlags(rawValue: 1)
  /// Longer than the policy's maximum.
  package static let overMaximum = TimeEntryFlags(rawValue: 2)
  /// Closed by the service, not by the member or a manager clocking out.
  package static let autoClosed = TimeEntryFlags(rawValue: 4)
  /// Begun by starting a segment. The contract has this as `startedBy`, and not among the flags.
  package static let startedBySegment = TimeEntryFlags(rawValue: 8)

  /// The unusual ones.
  package var remarkable: TimeEntryFlags { subtracting(.startedBySegment) }

  /// Every unusual one with its name in the contract, in the contract's order.
  package static let names: [(flag: TimeEntryFlags, name: String)] = [
    (.underMinimum, "under_minimum"), (.overMaximum, "over_maximum"), (.autoClosed, "auto_closed"),
  ]

  /// The flags of an entry of this length: exactly the minimum and exactly the maximum are in order.
  package static func judging(milliseconds: Int64, by policy: Policy) -> TimeEntryFlags {
    if milliseconds < policy.minimumSeconds * 1_000 { return .underMinimum }
    if milliseconds > policy.maximumSeconds * 1_000 { return .overMaximum }
    return []
  }
}
