extension EntitlementYear {
  /// Whether absences use more days of a year than there are, and more than they used before a change.
  ///
  /// - Parameters:
  ///   - before: The member's balance before the change.
  ///   - after: The same after it.
  package static func isExceeded(
    _ entitlement: EntitlementRow, from before: MemberBalance, to after: MemberBalance
  ) -> Bool {
    // Days that expire are of no consequence.
    let use = EntitlementYear(entitlement, of: after, today: .earliest)
    guard use.isExceeded else { return false }
    return use.usedOwnDays > EntitlementYear(entitlement, of: before, today: .earliest).usedOwnDays
  }
}
