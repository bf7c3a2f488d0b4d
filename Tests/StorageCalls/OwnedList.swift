import TimeclockDomain

/// A list of records of the organization and its members, narrowed in one of the ways that send statements of their
/// own.
struct OwnedList: Sendable {
  let name: String
  /// Only rows with the flag, or only others; nil means all.
  let isFlagged: Bool?
  let owners: @Sendable (PreparedOrganization) -> OwnerSelection
}

extension StorageCalls {
  /// Every selection of owners, of all rows, of those with a flag, and of the others.
  static func ownedLists(flagged flag: String) -> [OwnedList] {
    let selections: [(String, @Sendable (PreparedOrganization) -> OwnerSelection)] = [
      ("of everybody", { _ in .everybody }), ("of the organization", { _ in .organization }),
      ("of a member", { .member($0.member.key.user) }),
      ("of both", { .organizationAndMember($0.member.key.user) }),
      ("of the organization, and of a manager's groups", { .organizationAndManaged(by: $0.admin.key.user) }),
    ]
    return [(nil, "all"), (true, "\(flag) ones"), (false, "others")].flatMap { isFlagged, rows in
      selections.map { OwnedList(name: "\(rows) \($0)", isFlagged: isFlagged, owners: $1) }
    }
  }
}
