import TimeclockDomain

extension Storage {
  /// The user in this row, with the user's memberships, oldest first.
  ///
  /// - Throws: `.invalidToken` when the user is gone.
  package func profile(of user: UserKey) async throws -> Profile {
    let rows = try await read(
      Profile.rows, [.key(user)], in: .everyone(because: .peopleSeeTheirOwnMemberships), limit: 1
    ) { row in
      let user = User(
        id: try row.identifier("user"), email: row.text("user_email"), name: row.text("user_name"),
        language: try row.optionalChoice("user_language"))
      return (user: user, membership: try ProfileMembership(&row))
    }
    guard let user = rows.first?.user else { throw TimeclockError.invalidToken }
    return Profile(user: user, memberships: rows.compactMap(\.membership))
  }

  /// One membership, active or not; nil if the person is no member.
  package func membership(
    of userID: UserID, in organization: OrganizationKey
  ) async throws -> Membership? {
    try await memberships(of: [userID], in: organization)[userID]
  }

  /// One member, active or not; nil if the person is no member.
  package func member(_ userID: UserID, in organization: OrganizationKey) async throws -> Member? {
    try await first(
      Member.one, [.key(organization), .identifier(userID)], in: .organization(organization), Member.init)
  }

  /// A page of the members that a filter shows, in the order in which they were added.
  ///
  /// A page is full if there are members enough: they are read in that order, and those that the filter does not show
  /// are passed over.
  package func members(
    of organization: OrganizationKey, in members: MemberSelection = .everybody,
    matching filter: MemberFilter = MemberFilter(), after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Member, RowCursor> {
    let wanted = PageSize.clamped(limit) + 1
    // Those that are passed over are read in larger parts than those that are shown.
    let count = filter.isEmpty ? wanted : max(wanted, 500)
    var found: [(element: Member, row: Int64)] = []
    var last = cursor?.row ?? 0
    while true {
      let rows = try await read(
        Member.pages[members],
        [.key(organization), .integer(last), .integer(Int64(count))] + members.values,
        in: .organization(organization), limit: count
      ) { row in
        let number = row.integer("member_number")
        return (element: try Member(&row), row: number)
      }
      for row in rows where found.count < wanted && filter.matches(row.element) { found.append(row) }
      guard found.count < wanted, rows.count == count, let row = rows.last?.row else { break }
      last = row
    }
    return Page(rows: found, limit: limit)
  }

  /// Adds a member: a new account, or, if the e-mail address has an account and no password hash is given, the person
  /// with that account.
  ///
  /// Log-ins of a new account are valid in this organization at once; those of an account that exists only after
  /// `TokenStorage.acceptMembership`, because the owner of its password is unknown here.
  ///
  /// - Throws: `.memberExists` when the person is a member already, deactivated or not; `.emailInUse` when
  ///   the address has an account and a password hash is given; `.personnelNumberInUse`.
  package func createMember(
    _ account: NewAccount, _ member: NewMember, context: ChangeContext,
    recording: AnswerRecording<Member>? = nil
  ) async throws -> Member {
    try await write(
      RecordWrite(.organization(member.organization), changesAccess: true), recording: recording
    ) { try await $0.createMember(account, member, context: context).member }
  }

  /// Adds several members, in their order and all in one transaction, each as `createMember` adds one. Nothing is kept
  /// if one of them is refused.
  ///
  /// - Parameters:
  ///   - people: Their accounts and their memberships.
  ///   - isKept: Whether they are kept if none is refused; false only judges them, and their ids are nobody's.
  /// - Returns: The outcome for each of them.
  package func createMembers(
    _ people: [(account: NewAccount, member: NewMember)], in organization: OrganizationKey, isKept: Bool,
    context: ChangeContext, recording: AnswerRecording<[Member]>?
  ) async throws -> [Result<Member, TimeclockError>] {
    let kind = RecordWrite(.organization(organization), changesAccess: true, isLong: true)
    do {
      return try await write(kind, recording: recording) { transaction in
        // Before any account is touched, as single ones with personnel numbers do it.
        try await transaction.lock(Organization.lock, [.key(organization)])
        var outcomes: [Result<Member, TimeclockError>] = []
        for (account, member) in people {
          do {
            outcomes.append(
              .success(try await transaction.createMember(account, member, context: context).member))
          } catch let refusal as TimeclockError where refusal.isOfOneMember {
            // It comes before anything is written for this member, so the transaction goes on.
            outcomes.append(.failure(refusal))
          }
        }
        let members = outcomes.compactMap { try? $0.get() }
        guard isKept, members.count == outcomes.count else { throw NoMembersKept(outcomes: outcomes) }
        return members
      }.map(Result.success)
    } catch let nothing as NoMembersKept {
      return nothing.outcomes
    }
  }

  /// Changes a member: reads it, lets `change` change address, name, role, time zone, language, personnel number and `isActive`,
  /// raises the version and writes it back, all in one transaction. A change that changes nothing leaves the version too.
  ///
  /// A member who becomes inactive loses at once every API token of this organization, and, without an active
  /// membership elsewhere, every token; an active time entry is closed at the time of the change and flagged
  /// `.autoClosed`. Another name or language of a member whose log-ins are valid in no other organization is the
  /// account's too. Another address is the account's too, and so the one for log-ins; the old one is free. With a
  /// password hash the user's password is replaced, and every log-in of the user and every API token of this
  /// organization in the user's name is revoked.
  ///
  /// - Parameters:
  ///   - expectedVersion: The version that the change is meant for; nil means any.
  ///   - passwordHash: The member's new password, if it is to change.
  /// - Throws: `.notFound(.member)`; `.changed` when the version is another; `.lastAdmin` when no
  ///   active admin would be left; `.accountShared` for a password with which the person logs in to other
  ///   organizations too, or an address of an account that another organization uses in any way; `.addressTaken`;
  ///   `.personnelNumberInUse`; any error of `change`. Then nothing is changed.
  package func updateMember(
    _ userID: UserID, in organization: OrganizationKey, expectedVersion: Int64?,
    passwordHash: PasswordHash?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Member) throws -> Void
  ) async throws -> Member {
    let kind = RecordWrite(.organization(organization), changesAccess: true)
    return try await write(kind, recording: nil) { transaction in
      let (before, user) = try await transaction.lockMember(userID, in: organization)
      try before.requireVersion(expectedVersion)
      let changed = try before.changed(at: context.time, mayBeSame: passwordHash != nil, by: change)
      guard let changed else { return before }
      if changed.personnelNumber != before.personnelNumber {
        try await transaction.requireFree(changed.personnelNumber, for: user, in: organization)
      }
      // `accepted` is of no consequence: no change changes it.
      try await transaction.update(
        StoredMember(member: changed, isAccepted: false), in: StoredMember.table, of: organization,
        key: user.value)
      let update = MemberUpdate(
        transaction: transaction, key: MemberKey(organization: organization, user: user), context: context)
      if before.email != changed.email { try await update.moveAccount(to: changed.email) }
      try await update.haveAccountFollow(from: before, to: changed)
      if let passwordHash { try await update.replacePassword(passwordHash) }
      if before.isActive, !changed.isActive { try await update.endMembership() }
      if before.isActive, before.role == .admin { try await update.requireAdmin() }
      try await transaction.log(from: .member(before), to: .member(changed), in: organization, context)
      return changed
    }
  }
}

extension RecordTransaction {
  /// Adds a member as `MemberStorage.createMember` says, and writes it down.
  func createMember(
    _ new: NewAccount, _ member: NewMember, context: ChangeContext
  ) async throws -> CreatedMember {
    // As changes of members do, so that nobody else takes the personnel number meanwhile.
    if member.personnelNumber != nil { try await lock(Organization.lock, [.key(member.organization)]) }
    try await requireFree(member.personnelNumber, for: nil, in: member.organization)
    let account = try await account(new, createdAt: context.time, toJoin: member.organization)
    try await insertMember(new, account: account, member, at: context.time)
    let created = try await requireMember(account.user.id, in: member.organization).member
    try await log(from: nil, to: .member(created), in: member.organization, context)
    return CreatedMember(
      member: created, key: MemberKey(organization: member.organization, user: account.key))
  }

  /// Throws `.personnelNumberInUse` if another member than `user`, nil for a new one, of the organization, which is
  /// locked, has the number.
  func requireFree(
    _ personnelNumber: String?, for user: UserKey?, in organization: OrganizationKey
  ) async throws {
    guard let personnelNumber else { return }
    let values: [RecordValue] = [
      .key(organization), .text(personnelNumber), user.map(RecordValue.key) ?? .integer(0),
    ]
    guard try await !exists(Member.withPersonnelNumber, values) else {
      throw TimeclockError.personnelNumberInUse
    }
  }

  /// Adds an inactive member for an import. A person who is a member already is refused before anything is written, so
  /// the transaction goes on.
  package func add(
    _ account: NewAccount, of batch: ImportBatch
  ) async throws -> Result<CreatedMember, TimeclockError> {
    let member = NewMember(organization: batch.organization, role: .member, timeZone: nil, isActive: false)
    do {
      return .success(try await createMember(account, member, context: batch.context))
    } catch let error as TimeclockError {
      return .failure(error)
    }
  }

  /// The member and the user's row, which nobody else changes then once it is locked. Throws `.notFound(.member)`.
  func requireMember(
    _ userID: UserID, in organization: OrganizationKey, isLocked: Bool = false
  ) async throws -> (member: Member, user: UserKey) {
    let statement = isLocked ? Member.locked : Member.one
    let found = try await first(statement, [.key(organization), .identifier(userID)]) { row in
      let user = UserKey(row.integer("user_id"))
      return (member: try Member(&row), user: user)
    }
    guard let found else { throw TimeclockError.notFound(.member) }
    return found
  }

  /// The member and the user's row, to be changed. Throws `.notFound(.member)`.
  ///
  /// One change of members at a time in an organization: two admins cannot deactivate each other.
  func lockMember(
    _ userID: UserID, in organization: OrganizationKey
  ) async throws -> (member: Member, user: UserKey) {
    try await lock(Organization.lock, [.key(organization)])
    return try await requireMember(userID, in: organization, isLocked: true)
  }
}

/// Ends a transaction whose added members are not to be kept, and carries its findings.
private struct NoMembersKept: Error {
  let outcomes: [Result<Member, TimeclockError>]
}

extension TimeclockError {
  /// Whether one of several members is refused, and not the work as a whole.
  fileprivate var isOfOneMember: Bool {
    [.memberExists, .emailInUse, .personnelNumberInUse].contains(self)
  }
}
