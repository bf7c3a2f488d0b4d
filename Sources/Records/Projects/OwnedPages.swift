import TimeclockDomain

/// The statements for the pages of a list of what the organization and its members own: one for each selection of owners,
/// and each value of the flag by which the list is narrowed.
struct OwnedPages: Sendable {
  private let everybody: FlaggedPages
  private let organization: FlaggedPages
  private let member: FlaggedPages
  private let organizationAndMember: FlaggedPages

  /// - Parameters:
  ///   - table: What the statements call the table.
  ///   - flag: The column of the flag.
  ///   - user: The parameter that is the member.
  ///   - page: Makes the statement for the rows that meet a condition.
  init(of table: String, flag: String, user: String, _ page: (_ condition: String) -> RecordStatement) {
    func pages(_ owners: String) -> FlaggedPages {
      FlaggedPages(
        all: page(owners), flagged: page("\(owners) AND \(table).\(flag)"),
        others: page("\(owners) AND NOT \(table).\(flag)"))
    }
    everybody = pages("TRUE")
    organization = pages("\(table).owner_id IS NULL")
    member = pages("\(table).owner_id = \(user)")
    organizationAndMember = pages("(\(table).owner_id IS NULL OR \(table).owner_id = \(user))")
  }

  /// The statement for a list, and the value of its member, where it has one.
  ///
  /// - Parameter isFlagged: Only rows with the flag, or only others; nil means all.
  func page(
    of owners: OwnerSelection, isFlagged: Bool?
  ) -> (statement: RecordStatement, values: [RecordValue]) {
    switch owners {
    case .everybody: (everybody[isFlagged], [])
    case .organization: (organization[isFlagged], [])
    case .member(let user): (member[isFlagged], [.key(user)])
    case .organizationAndMember(let user): (organizationAndMember[isFlagged], [.key(user)])
    }
  }
}

/// The statements of one selection of owners.
private struct FlaggedPages: Sendable {
  let all: RecordStatement
  let flagged: RecordStatement
  let others: RecordStatement

  subscript(isFlagged: Bool?) -> RecordStatement {
    switch isFlagged {
    case nil: all
    case true?: flagged
    case false?: others
    }
  }
}

extension RecordTransaction {
  /// The row of the member to whom something new belongs, who stays a member; nil for nobody.
  ///
  /// - Throws: `.notFound(.member)`, `.memberDeactivated`.
  func lockOwner(_ id: UserID?, in organization: OrganizationKey) async throws -> UserKey? {
    guard let id else { return nil }
    guard let member = try await lockMembers([id], of: organization)[id] else {
      throw TimeclockError.notFound(.member)
    }
    guard member.isActive else { throw TimeclockError.memberDeactivated }
    return member.user
  }
}
