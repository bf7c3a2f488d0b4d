/// What an admin says to add a member.
package struct NewMemberRequest: Sendable {
  package var email: String
  package var name: String
  package var role: Role
  package var timeZone: String?

  package init(email: String, name: String, role: Role, timeZone: String? = nil) {
    self.email = email
    self.name = name
    self.role = role
    self.timeZone = timeZone
  }
}

/// What an admin may change about a member; nil leaves a value as it is.
package struct MemberChanges: Sendable {
  package var name: String?
  package var role: Role?
  /// The inner nil takes the member's own zone away.
  package var timeZone: String??
  package var isActive: Bool?

  package init(
    name: String? = nil, role: Role? = nil, timeZone: String?? = nil, isActive: Bool? = nil
  ) {
    self.name = name
    self.role = role
    self.timeZone = timeZone
    self.isActive = isActive
  }
}

extension Timeclock {
  /// Adds a member.
  ///
  /// - Throws: `.forbidden`, `.invalidName`, `.invalidEmail`, `.unknownTimeZone`, `.memberExists`,
  ///   `.emailInUse`.
  package func createMember(
    _ request: NewMemberRequest, passwordHash: PasswordHash?, by caller: Membership
  ) async throws -> Member {
    try caller.require(.admin)
    let now = clock.now
    let account = NewAccount(
      userID: identifiers.next(at: now), email: try EmailAddress(request.email),
      name: try Name.validated(request.name), passwordHash: passwordHash)
    let timeZone = try request.timeZone.map { try zone(named: $0).identifier }
    return try await storage.createMember(
      account,
      NewMember(
        organization: caller.key.organization, role: request.role, timeZone: timeZone, createdAt: now))
  }

  /// One member.
  ///
  /// - Throws: `.forbidden`, `.notFound(.member)`.
  package func member(_ userID: UserID, for caller: Membership) async throws -> Member {
    try caller.require(.manager)
    guard let member = try await storage.member(userID, in: caller.key.organization) else {
      throw TimeclockError.notFound(.member)
    }
    return member
  }

  /// A page of members, in the order in which they were added.
  ///
  /// - Throws: `.forbidden`.
  package func members(
    after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<Member, RowCursor> {
    try caller.require(.manager)
    return try await storage.members(of: caller.key.organization, after: cursor, limit: limit)
  }

  /// Changes a member; `MemberStorage.updateMember` says what becoming inactive or a new password does.
  ///
  /// - Throws: `.forbidden`, `.invalidName`, `.unknownTimeZone`, and what the storage throws.
  package func updateMember(
    _ userID: UserID, _ changes: MemberChanges, passwordHash: PasswordHash? = nil, expectedVersion: Int64?,
    by caller: Membership
  ) async throws -> Member {
    try caller.require(.admin)
    let name = try changes.name.map(Name.validated)
    let timeZone = try changes.timeZone.map { try $0.map { try zone(named: $0).identifier } }
    return try await storage.updateMember(
      userID, in: caller.key.organization, expectedVersion: expectedVersion, passwordHash: passwordHash,
      at: clock.now
    ) { member in
      member.name = name ?? member.name
      member.role = changes.role ?? member.role
      if let timeZone { member.timeZone = timeZone }
      member.isActive = changes.isActive ?? member.isActive
    }
  }
}
