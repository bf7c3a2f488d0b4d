import TimeclockDomain

extension StorageCalls {
  static let tokens: [StorageMethod] = [
    StorageMethod(
      "authenticate(_:organizationID:at:)", .reads, .account,
      [
        StorageCall("by a log-in, nowhere") {
          try await $1.authenticate($0.logIn, organizationID: nil, at: PreparedOrganization.start)
        },
        StorageCall("by a log-in, in an organization") {
          try await $1.authenticate($0.logIn, organizationID: $0.id, at: PreparedOrganization.start)
        },
        StorageCall("by an API token, in an organization") {
          try await $1.authenticate($0.apiTokenDigest, organizationID: $0.id, at: PreparedOrganization.start)
        },
      ]),
    StorageMethod(
      "noteTokenUse(_:at:)", .writes, .account,
      [StorageCall { $1.noteTokenUse($0.logInKey, at: PreparedOrganization.start) }]),
    StorageMethod(
      "logIns(of:at:)", .reads, .account,
      [StorageCall { try await $1.logIns(of: $0.member.key.user, at: PreparedOrganization.start) }]),
    StorageMethod(
      "deleteLogIns(of:keepingToken:)", .writes, .account,
      [StorageCall { try await $1.deleteLogIns(of: $0.member.key.user, keepingToken: $0.logInKey) }]),
    StorageMethod(
      "deleteToken(_:context:)", .writes, .account,
      [StorageCall { try await $1.deleteToken($0.logInKey, context: .call) }]),
  ]

  static let passwords: [StorageMethod] = [
    StorageMethod(
      "logInAccount(for:)", .reads, .account,
      [StorageCall { try await $1.logInAccount(for: $0.member.email) }]),
    StorageMethod(
      "passwordHash(of:)", .reads, .account,
      [StorageCall { try await $1.passwordHash(of: $0.member.key.user) }]),
    StorageMethod(
      "createLogInToken(_:for:checkedHash:newHash:recording:)", .writes, .account,
      onceAndRecorded { organization, storage, recording in
        try await storage.createLogInToken(
          newToken, for: organization.member.key.user, checkedHash: PreparedOrganization.password,
          newHash: nil, recording: recording)
      } + [
        StorageCall("with another hash") { organization, storage in
          try await storage.createLogInToken(
            newToken, for: organization.member.key.user, checkedHash: PreparedOrganization.password,
            newHash: PasswordHash(text: "$scrypt$b"), recording: nil)
        }
      ]),
    StorageMethod(
      "changePassword(of:from:to:keepingToken:context:)", .writes, .account,
      [
        StorageCall { organization, storage in
          try await storage.changePassword(
            of: organization.admin.key.user, from: PreparedOrganization.password,
            to: PasswordHash(text: "$scrypt$b"), keepingToken: organization.logInKey, context: .call)
        }
      ]),
    StorageMethod(
      "acceptMembership(of:with:from:to:context:)", .writes, .account,
      [
        StorageCall { organization, storage in
          try await storage.acceptMembership(
            of: organization.member.key.user, with: organization.apiTokenDigest,
            from: PreparedOrganization.password, to: PasswordHash(text: "$scrypt$b"), context: .call)
        }
      ]),
  ]

  static let apiTokens: [StorageMethod] = [
    StorageMethod(
      "apiTokens(of:after:limit:)", .reads, .organization,
      [
        StorageCall { try await $1.apiTokens(of: $0.key, after: nil, limit: 9).elements },
        StorageCall("from a place on") {
          try await $1.apiTokens(of: $0.key, after: RowCursor(row: 1), limit: 9).elements
        },
      ]),
    StorageMethod(
      "createApiToken(_:digest:in:context:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.createApiToken(
          organization.apiToken(of: organization.member), digest: PreparedOrganization.newDigest(),
          in: organization.key, context: .call, recording: recording)
      }),
    StorageMethod(
      "deleteApiToken(_:in:context:)", .writes, .organization,
      [StorageCall { try await $1.deleteApiToken($0.names.apiToken, in: $0.key, context: .call) }]),
  ]

  static let logInAttempts: [StorageMethod] = [
    StorageMethod(
      "beginLogInAttempt(_:at:)", .writes, .account,
      [
        StorageCall { try await $1.beginLogInAttempt(attempt(on: $0), at: PreparedOrganization.start) },
        StorageCall("by somebody logged in") {
          try await $1.beginLogInAttempt(LogInAttempt(by: $0.member.id), at: PreparedOrganization.start)
        },
      ]),
    StorageMethod(
      "endLogInAttempt(_:as:at:)", .writes, .account,
      [LogInOutcome.succeeded, .notChecked].map { outcome in
        StorageCall(
          "as \(outcome)",
          after: { try await $1.beginLogInAttempt(attempt(on: $0), at: PreparedOrganization.start) },
          { try await $1.endLogInAttempt(attempt(on: $0), as: outcome, at: PreparedOrganization.start) })
      }),
    StorageMethod(
      "deleteExpiredLogInAttempts(at:limit:)", .writes, .service,
      [StorageCall { try await $1.deleteExpiredLogInAttempts(at: PreparedOrganization.start, limit: 5) }]),
  ]

  /// An attempt from the only computer that anybody uses.
  private static func attempt(on organization: PreparedOrganization) -> LogInAttempt {
    LogInAttempt(email: organization.member.email.text, from: ClientNetwork(address: "192.0.2.1"))
  }
}
