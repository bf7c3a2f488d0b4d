/// The storage of organizations.
package protocol OrganizationStorage: Sendable {
  /// Creates an organization together with its first admin and a token for that admin.
  ///
  /// The admin becomes a new account, or, where the e-mail address has an account and no password hash is given, the
  /// person with that account. The token of a new account is a log-in; that of an account which exists is an API token,
  /// good in the new organization only: the operator of the service does not get to act as that person elsewhere. Its
  /// id is the organization's. Log-ins of an account that exists are good in the new organization only after
  /// `TokenStorage.acceptMembership`.
  ///
  /// - Returns: The admin as a user.
  /// - Throws: `.emailInUse` when the address has an account and a password hash is given.
  func createOrganization(
    _ organization: Organization, admin: NewAccount, token: NewToken, context: ChangeContext,
    recording: AnswerRecording<User>?
  ) async throws -> User

  /// The organization in this row.
  ///
  /// - Throws: `.notFound(.organization)`.
  func organization(_ key: OrganizationKey) async throws -> Organization

  /// Changes an organization: reads it, lets `change` change name, time zone, policy and state, raises the version
  /// and writes it back, all in one transaction. A change that changes nothing leaves the version too.
  ///
  /// - Parameter expectedVersion: The version that the change is meant for; nil means any.
  /// - Throws: `.changed` when the version is another; any error of `change`, and then nothing is changed.
  func updateOrganization(
    _ key: OrganizationKey, expectedVersion: Int64?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Organization) throws -> Void
  ) async throws -> Organization

  /// Closes some of an organization's active entries at the time of the change, as those of a member are who is
  /// deactivated.
  ///
  /// - Parameter limit: The most entries to close, at least 1.
  /// - Returns: The number of those that were closed.
  func closeActiveEntries(
    of organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> Int

  /// Deletes some of the records of an organization that is being deleted: entries, sessions and the like, of one table
  /// in one transaction. Members, tokens and changes stay.
  ///
  /// - Parameter limit: The most records to delete, at least 1.
  /// - Returns: The number of those that were deleted; 0 where none is left.
  /// - Throws: `.organizationActive` for one that is not being deleted; `.notFound(.organization)`.
  func deleteRecords(of organization: OrganizationKey, limit: Int) async throws -> Int

  /// Ends some of the memberships of an organization that is being deleted, with their tokens, and the accounts that are
  /// members of no other organization, as `PersonalDataStorage.anonymizeMember` ends one.
  ///
  /// - Parameter limit: The most memberships to end, at least 1.
  /// - Returns: The number of those that were ended; 0 where none is left.
  /// - Throws: `.organizationActive` for one that is not being deleted; `.notFound(.organization)`; an error of the
  ///   database where records are left.
  func endMemberships(
    of organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> Int

  /// Writes down that an organization without members is deleted; nothing where that was written before.
  ///
  /// - Throws: `.organizationActive` for one that is not being deleted; `.notFound(.organization)`.
  func logDeletion(of organization: OrganizationKey, context: ChangeContext) async throws

  /// Erases the content of some of the changes of an organization that is being deleted. Once all are erased, it is
  /// deleted.
  ///
  /// - Parameters:
  ///   - sequence: Only changes after this one; 0 for all.
  ///   - limit: The most changes to erase, at least 1.
  /// - Returns: The sequence number to go on after; nil where it is deleted now.
  /// - Throws: `.organizationActive` for one that is not being deleted; `.notFound(.organization)`.
  func eraseChanges(
    of organization: OrganizationKey, after sequence: Int64, limit: Int
  ) async throws -> Int64?
}

extension OrganizationStorage {
  /// Creates an organization, without an idempotency key.
  package func createOrganization(
    _ organization: Organization, admin: NewAccount, token: NewToken, context: ChangeContext
  ) async throws -> User {
    try await createOrganization(organization, admin: admin, token: token, context: context, recording: nil)
  }
}

/// A person to create an account for, or to find one by e-mail address.
package struct NewAccount: Sendable {
  /// The id of the account if one is created.
  package var userID: UserID
  package var email: EmailAddress
  package var name: String
  package var passwordHash: PasswordHash?

  package init(userID: UserID, email: EmailAddress, name: String, passwordHash: PasswordHash?) {
    self.userID = userID
    self.email = email
    self.name = name
    self.passwordHash = passwordHash
  }
}
