/// The storage of users and their memberships.
package protocol MemberStorage: Sendable {
  /// The user in this row, with the user's memberships, oldest first.
  ///
  /// - Throws: `.invalidToken` when the user is gone.
  func profile(of user: UserKey) async throws -> Profile

  /// One membership, active or not; nil where the person is no member.
  func membership(of userID: UserID, in organization: OrganizationKey) async throws -> Membership?

  /// The memberships of several people, active or not; people who are no members are left out.
  func memberships(
    of userIDs: Set<UserID>, in organization: OrganizationKey
  ) async throws -> [UserID: Membership]

  /// One member, active or not; nil where the person is no member.
  func member(_ userID: UserID, in organization: OrganizationKey) async throws -> Member?

  /// A page of the members that a filter shows, in the order in which they were added.
  ///
  /// A page is full wherever there are members enough: they are read in that order, and those that the filter does not
  /// show are passed over.
  func members(
    of organization: OrganizationKey, matching filter: MemberFilter, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Member, RowCursor>

  /// Adds a member: a new account, or, where the e-mail address has an account and no password hash is
  /// given, the person with that account.
  ///
  /// Log-ins of a new account are good in this organization at once; those of an account that exists only
  /// after `TokenStorage.acceptMembership`, because nobody here knows who has its password.
  ///
  /// - Throws: `.memberExists` when the person is a member already, deactivated or not; `.emailInUse` when
  ///   the address has an account and a password hash is given; `.personnelNumberInUse`.
  func createMember(
    _ account: NewAccount, _ member: NewMember, context: ChangeContext, recording: AnswerRecording<Member>?
  ) async throws -> Member

  /// Adds several members, in their order and all in one transaction, each as `createMember` adds one. Nothing is kept
  /// where one of them is refused.
  ///
  /// - Parameters:
  ///   - people: Their accounts and their memberships.
  ///   - isKept: Whether they are kept where none is refused; false only judges them, and their ids are nobody's.
  /// - Returns: The outcome for each of them.
  func createMembers(
    _ people: [(account: NewAccount, member: NewMember)], in organization: OrganizationKey, isKept: Bool,
    context: ChangeContext, recording: AnswerRecording<[Member]>?
  ) async throws -> [Result<Member, TimeclockError>]

  /// Changes a member: reads it, lets `change` change address, name, role, time zone, language, personnel number and `isActive`,
  /// raises the version and writes it back, all in one transaction. A change that changes nothing leaves the version too.
  ///
  /// A member who becomes inactive loses at once every API token of this organization, and, without an
  /// active membership elsewhere, every token; an active time entry is closed at the time of the change and flagged
  /// `.autoClosed`. Another name or language of a member whose log-ins are good in no other organization is the account's too. Another address
  /// is the account's too, and so the one that the person logs in with; the old one is free. With a
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
  func updateMember(
    _ userID: UserID, in organization: OrganizationKey, expectedVersion: Int64?,
    passwordHash: PasswordHash?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Member) throws -> Void
  ) async throws -> Member

  /// Changes what a person says of themselves: in the account, and in every organization where log-ins are good and the
  /// membership is active. All in one transaction, logged in each of these organizations.
  ///
  /// - Throws: `.wrongPassword` when the hash that was checked for a new address is no longer the user's;
  ///   `.addressTaken`. Then nothing is changed.
  func updateAccount(of user: UserKey, _ changes: AccountChanges, context: ChangeContext) async throws
}

/// A person's changes of their own account; nil leaves a value as it is.
package struct AccountChanges: Sendable {
  package var name: String?
  /// The inner nil takes the person's own zone away.
  package var timeZone: TimeZoneIdentifier??
  /// The inner nil takes the person's language away.
  package var language: Language??
  /// The address to log in with from now on, and the hash of the password that was checked for it.
  package var address: (email: EmailAddress, checkedHash: PasswordHash)?

  package init(
    name: String?, timeZone: TimeZoneIdentifier??, language: Language??,
    address: (email: EmailAddress, checkedHash: PasswordHash)?
  ) {
    self.name = name
    self.timeZone = timeZone
    self.language = language
    self.address = address
  }
}

extension TimeclockError {
  package static let addressTaken = TimeclockError.plain(
    PlainRefusal(
      "address_taken", against: .state,
      "Another account has this e-mail address."))
}

extension MemberStorage {
  /// A page of members, deactivated ones included, in the order in which they were added.
  package func members(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Member, RowCursor> {
    try await members(of: organization, matching: MemberFilter(), after: cursor, limit: limit)
  }

  /// Adds a member, without an idempotency key.
  package func createMember(
    _ account: NewAccount, _ member: NewMember, context: ChangeContext
  ) async throws -> Member {
    try await createMember(account, member, context: context, recording: nil)
  }
}

/// A membership to create.
package struct NewMember: Sendable {
  package var organization: OrganizationKey
  package var role: Role
  package var timeZone: TimeZoneIdentifier?
  package var personnelNumber: String?
  package var isActive: Bool

  package init(
    organization: OrganizationKey, role: Role, timeZone: TimeZoneIdentifier?, personnelNumber: String? = nil,
    isActive: Bool = true
  ) {
    self.organization = organization
    self.role = role
    self.timeZone = timeZone
    self.personnelNumber = personnelNumber
    self.isActive = isActive
  }
}

/// A person and all organizations the person belongs to.
package struct Profile: Hashable, Sendable {
  package var user: User
  package var memberships: [ProfileMembership]

  package init(user: User, memberships: [ProfileMembership]) {
    self.user = user
    self.memberships = memberships
  }
}

/// One of a person's memberships, as the person sees it.
package struct ProfileMembership: Hashable, Sendable {
  package var organization: OrganizationKey
  package var organizationID: OrganizationID
  package var organizationName: String
  package var role: Role
  package var timeZone: TimeZoneIdentifier?
  package var isActive: Bool
  /// Whether the person's log-ins are good in this organization.
  package var isAccepted: Bool
  /// The person's address as this organization wrote it, and what it calls them.
  package var email: String
  package var name: String
  /// The person's language as this organization has it.
  package var language: Language?

  package init(
    organization: OrganizationKey, organizationID: OrganizationID, organizationName: String, role: Role,
    timeZone: TimeZoneIdentifier?, isActive: Bool, isAccepted: Bool, email: String, name: String,
    language: Language?
  ) {
    self.organization = organization
    self.organizationID = organizationID
    self.organizationName = organizationName
    self.role = role
    self.timeZone = timeZone
    self.isActive = isActive
    self.isAccepted = isAccepted
    self.email = email
    self.name = name
    self.language = language
  }
}
