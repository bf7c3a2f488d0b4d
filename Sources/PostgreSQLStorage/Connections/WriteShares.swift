import TimeclockDomain

/// The limits that keep the transactions of all loops of a process from taking everything
/// (docs/decisions/0020-fairness.md).
struct WriteShares: Sendable {
  /// The places for transactions of many statements or rows: one of an organization, and two in all.
  let longTransactions = PlacesInTurn<OrganizationKey>(limit: 2, limitOfOne: 1)
  let claims = LockClaims()
}
