import TimeclockDomain

/// The content of an admin's request to add a member.
package struct NewMemberRequest: Sendable {
  package var email: String
  package var name: String
  package var role: Role
  package var timeZone: String?
  package var personnelNumber: String?

  package init(
    email: String, name: String, role: Role, timeZone: String? = nil, personnelNumber: String? = nil
  ) {
    self.email = email
    self.name = name
    self.role = role
    self.timeZone = timeZone
    self.personnelNumber = personnelNumber
  }
}

/// Changes of a member by an admin; nil leaves a value as it is.
package struct MemberChanges: Sendable {
  package var email: String?
  package var name: String?
  package var role: Role?
  /// The inner nil takes the member's own zone away.
  package var timeZone: String??
  /// The inner nil takes the member's language away.
  package var language: Language??
  /// The inner nil takes the personnel number away.
  package var personnelNumber: String??
  package var isActive: Bool?

  package init(
    email: String? = nil, name: String? = nil, role: Role? = nil, timeZone: String?? = nil,
    language: Language?? = nil, personnelNumber: String?? = nil, isActive: Bool? = nil
  ) {
    self.email = email
    self.name = name
    self.role = role
    self.timeZone = timeZone
    self.language = language
    self.personnelNumber = personnelNumber
    self.isActive = isActive
  }
}

extension Timeclock {
  /// Adds a member. The password, if there is one, is hashed only if nothing else is wrong.
  ///
  /// - Throws: `.forbidden`, `.invalidName`, `.invalidEmail`, `.unknownTimeZone`, `.invalidPersonnelNumber`,
  ///   `.personnelNumberInUse`, `.memberExists`, `.emailInUse`, and errors of hashing.
  package func createMember(
    _ request: NewMemberRequest, password: NewPassword?, by caller: Membership,
    recording: AnswerRecording<Member>? = nil
  ) async throws -> Member {
    try caller.require(.admin)
    let now = clock.now
    var (account, member) = try validated(request, in: caller.key.organization, at: now)
    if let password {
      // The storage has the last word; this only spares the hashing.
      if let existing = try await storage.logInAccount(for: account.email) {
        let member = try await storage.member(existing.user.id, in: caller.key.organization)
        throw member == nil ? TimeclockError.emailInUse : .memberExists
      }
      let organization = try await storage.organization(caller.key.organization)
      account.passwordHash = try await password.hash([account.email.text, organization.name])
    }
    return try await storage.createMember(
      account, member, context: caller.change("createMember", at: now), recording: recording)
  }

  /// The account and the membership that a request asks for.
  ///
  /// - Throws: `.invalidName`, `.invalidEmail`, `.unknownTimeZone`, `.invalidPersonnelNumber`.
  func validated(
    _ request: NewMemberRequest, in organization: OrganizationKey, at now: Instant
  ) throws -> (account: NewAccount, member: NewMember) {
    let account = NewAccount(
      userID: identifiers.next(at: now), email: try EmailAddress(request.email),
      name: try Name.validated(request.name), passwordHash: nil)
    let member = NewMember(
      organization: organization, role: request.role,
      timeZone: try request.timeZone.map { try zone(named: $0).identifier },
      personnelNumber: try request.personnelNumber.map(PersonnelNumber.validated))
    return (account, member)
  }

  /// One member.
  ///
  /// - Throws: `.forbidden`, `.notFound(.member)`.
  package func member(_ userID: UserID, for caller: Membership) async throws -> Member {
    try caller.require(.manager)
    guard let member = try await storage.member(userID, in: caller.key.organization), caller.sees(userID)
    else { throw TimeclockError.notFound(.member) }
    return member
  }

  /// A page of the members that a filter shows, in the order in which they were added.
  ///
  /// - Parameter groupID: Only members of this group; nil means all.
  /// - Throws: `.forbidden`, `.notFound(.group)`.
  package func members(
    in groupID: GroupID? = nil, matching filter: MemberFilter, after cursor: RowCursor?, limit: Int,
    for caller: Membership
  ) async throws -> Page<Member, RowCursor> {
    try caller.require(.manager)
    let group = try await group(groupID, for: caller)
    return try await storage.members(
      of: caller.key.organization, in: group.map(MemberSelection.group) ?? caller.seen, matching: filter,
      after: cursor, limit: limit)
  }

  /// Changes a member; `MemberStorage.updateMember` describes the effects of becoming inactive or of a new password.
  /// The password is hashed only if nothing else is wrong.
  ///
  /// - Throws: `.forbidden`, `.invalidEmail`, `.invalidName`, `.unknownTimeZone`, `.invalidPersonnelNumber`, `.memberAnonymized` for any
  ///   change of an anonymized member, the errors of the storage, and those of hashing.
  package func updateMember(
    _ userID: UserID, _ changes: MemberChanges, password: NewPassword? = nil, expectedVersion: Int64?,
    by caller: Membership
  ) async throws -> Member {
    try caller.require(.admin)
    let email = try changes.email.map { text -> EmailAddress in
      guard let email = EmailAddress(ofAccount: text) else { throw TimeclockError.invalidEmail(.form) }
      return email
    }
    let name = try changes.name.map(Name.validated)
    let timeZone = try changes.timeZone.map { try $0.map { try zone(named: $0).identifier } }
    let personnelNumber = try changes.personnelNumber.map { try $0.map(PersonnelNumber.validated) }
    var passwordHash: PasswordHash?
    if let password {
      let member = try await checkPasswordChange(of: userID, expectedVersion: expectedVersion, by: caller)
      if let email, email.text != member.email { _ = try EmailAddress(email.text) }
      let organization = try await storage.organization(caller.key.organization)
      passwordHash = try await password.hash([email?.text ?? member.email, organization.name])
    }
    return try await storage.updateMember(
      userID, in: caller.key.organization, expectedVersion: expectedVersion, passwordHash: passwordHash,
      context: caller.change("updateMember", at: clock.now)
    ) { [isPasswordGiven = passwordHash != nil] member in
      let before = member
      // An address of an older version that would be refused today may be stated again.
      if let email, email.text != member.email { member.email = try EmailAddress(email.text).text }
      member.name = name ?? member.name
      member.role = changes.role ?? member.role
      if let timeZone { member.timeZone = timeZone }
      if let language = changes.language { member.language = language }
      if let personnelNumber { member.personnelNumber = personnelNumber }
      member.isActive = changes.isActive ?? member.isActive
      guard before.anonymizedAt == nil || member == before && !isPasswordGiven else {
        throw TimeclockError.memberAnonymized
      }
    }
  }

  /// Refuses changes that the storage would refuse anyhow, to spare the hashing; the storage has the last word.
  ///
  /// - Returns: The member as it is.
  private func checkPasswordChange(
    of userID: UserID, expectedVersion: Int64?, by caller: Membership
  ) async throws -> Member {
    let organization = caller.key.organization
    guard let member = try await storage.member(userID, in: organization),
      let membership = try await storage.membership(of: userID, in: organization)
    else { throw TimeclockError.notFound(.member) }
    try member.requireVersion(expectedVersion)
    guard member.anonymizedAt == nil else { throw TimeclockError.memberAnonymized }
    let memberships = try await storage.profile(of: membership.key.user).memberships
    let isShared = memberships.contains { $0.organization != organization && $0.isAccepted }
    guard !isShared || caller.author.means == .operator else { throw TimeclockError.accountShared }
    return member
  }
}
