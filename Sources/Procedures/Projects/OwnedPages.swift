import TimeclockDomain

/// The statements for the pages of a list of records of the organization and its members: one for each selection of
/// owners, and each value of the flag by which the list is narrowed.
struct OwnedPages: Sendable {
  private let everybody: FlaggedPages
  private let organization: FlaggedPages
  private let member: FlaggedPages
  private let organizationAndMember: FlaggedPages
  private let organizationAndManaged: FlaggedPages

  /// - Parameters:
  ///   - table: The table's name in the statements.
  ///   - flag: The column of the flag.
  ///   - user: The parameter that is the member.
  ///   - page: Makes the statement for the rows that meet a condition.
  init(of table: String, flag: String, user: String, _ page: (_ condition: String) -> RecordStatement) {
    func pages(_ owners: String) -> FlaggedPages {
      FlaggedPages(by: "\(table).\(flag)", of: owners, page)
    }
    everybody = pages("TRUE")
    organization = pages("\(table).owner_id IS NULL")
    member = pages("\(table).owner_id = \(user)")
    let isManaged = MemberSelection.Way.managed.test(on: "\(table).owner_id", row: user) ?? "TRUE"
    organizationAndManaged = pages("(\(table).owner_id IS NULL OR \(isManaged))")
    organizationAndMember = pages("(\(table).owner_id IS NULL OR \(table).owner_id = \(user))")
  }

  /// The statement for a list, and the value of its member, if it has one.
  ///
  /// - Parameter isFlagged: Only rows with the flag, or only others; nil means all.
  func page(
    of owners: OwnerSelection, isFlagged: Bool?
  ) -> (statement: RecordStatement, values: [RecordValue]) {
    switch owners {
    case .everybody: (everybody[isFlagged], [])
    case .organization: (organization[isFlagged], [])
    case .member(let user): (member[isFlagged], [.key(user)])
    case .organizationAndManaged(by: let user): (organizationAndManaged[isFlagged], [.key(user)])
    case .organizationAndMember(let user): (organizationAndMember[isFlagged], [.key(user)])
    }
  }
}

/// The counts of a member's own records; they end at a limit.
struct OwnedCounts: Sendable {
  static let tasks = OwnedCounts(of: "tasks", refusal: .tooManyTasks)
  static let projects = OwnedCounts(of: "projects", refusal: .tooManyProjects)

  /// Counts the rows of the member `$2`, at most `$3`.
  let statement: RecordStatement
  let refusal: TimeclockError

  private init(of table: String, refusal: TimeclockError) {
    statement = RecordStatement(
      "FROM (SELECT 1 FROM \(table) WHERE organization_id = $1 AND owner_id = $2 LIMIT $3) AS owned",
      columns: RecordColumns([("count", "count(*)")]))
    self.refusal = refusal
  }
}

extension RecordTransaction {
  /// Refuses one more of something to an owner who has as many as a member may; nobody for the organization's.
  ///
  /// Of several that are made at the same instant on PostgreSQL, each counts committed ones: the limit is for the sake
  /// of the service, and some more do no harm.
  func requireRoom(
    for owner: UserKey?, in counts: OwnedCounts, of organization: OrganizationKey, atMost limit: Int
  ) async throws {
    guard let owner else { return }
    let count = try await first(
      counts.statement, [.key(organization), .key(owner), .integer(Int64(limit))]
    ) { $0.integer("count") }
    if count ?? 0 >= Int64(limit) { throw counts.refusal }
  }

  /// The row of the owner of something new, who stays a member; nil for nobody.
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
