import TimeclockDomain

/// The owner of the rows that a statement or a transaction is about.
package enum RecordScope: Sendable {
  case organization(OrganizationKey)
  /// The organization that the transaction makes.
  case newOrganization
  /// No organization: accounts belong to none.
  case accounts
  case everyone(because: CrossingReason)
}

/// The rows that a transaction is about, and the effects that it may have on others.
package struct RecordWrite: Sendable {
  package var scope: RecordScope
  /// Whether it may change what a token grants: when it returns, no access cached before is honored.
  package var changesAccess: Bool
  /// Whether it changes any number of rows, which short transactions do not wait for.
  package var isLong: Bool
  /// The member whose rows it locks, for whom this process writes one transaction at a time; nil if it is about none,
  /// or if it is long.
  package var member: MemberKey?

  package init(_ scope: RecordScope, changesAccess: Bool = false, isLong: Bool = false) {
    self.scope = scope
    self.changesAccess = changesAccess
    self.isLong = isLong
  }

  /// A short transaction about a member's own rows.
  package init(of member: MemberKey) {
    self.init(.organization(member.organization))
    self.member = member
  }
}
