import TimeclockDomain

extension StorageCalls {
  static let members: [StorageMethod] = [
    StorageMethod(
      "profile(of:)", .reads, .account, [StorageCall { try await $1.profile(of: $0.member.key.user) }]),
    StorageMethod(
      "membership(of:in:)", .reads, .organization,
      [StorageCall { try await $1.membership(of: $0.member.id, in: $0.key) }]),
    StorageMethod(
      "memberships(of:in:)", .reads, .organization,
      [StorageCall { try await $1.memberships(of: [$0.member.id, $0.admin.id], in: $0.key) }]),
    StorageMethod(
      "member(_:in:)", .reads, .organization, [StorageCall { try await $1.member($0.member.id, in: $0.key) }]),
    StorageMethod(
      "members(of:in:matching:after:limit:)", .reads, .organization,
      [
        StorageCall { try await $1.members(of: $0.key, after: nil, limit: 9).elements },
        StorageCall("of a group") {
          try await $1.members(of: $0.key, in: .group($0.group($1)), after: nil, limit: 9).elements
        },
        StorageCall("from a place on") {
          try await $1.members(of: $0.key, after: RowCursor(row: 1), limit: 9).elements
        },
        StorageCall("by name and activity") {
          let filter = MemberFilter(isActive: true, role: .member, search: "a")
          return try await $1.members(of: $0.key, matching: filter, after: nil, limit: 9).elements
        },
      ]),
    StorageMethod(
      "createMember(_:_:context:recording:)", .writes, .organization,
      onceAndRecorded("with a new account") { organization, storage, recording in
        try await storage.createMember(
          PreparedOrganization.account(
            PreparedOrganization.newEmail(), "New", PreparedOrganization.password),
          NewMember(organization: organization.key, role: .member, timeZone: organization.timeZone),
          context: .call, recording: recording)
      } + [
        StorageCall("who is a member") { organization, storage in
          try await storage.createMember(
            PreparedOrganization.account(organization.admin.email, "New"),
            NewMember(organization: organization.key, role: .member, timeZone: nil), context: .call)
        }
      ]),
    StorageMethod(
      "createMembers(_:in:isKept:context:recording:)", .writes, .organization,
      onceAndRecorded("that are kept") { organization, storage, recording in
        try await storage.createMembers(
          [
            (
              PreparedOrganization.account(PreparedOrganization.newEmail(), "New"),
              NewMember(organization: organization.key, role: .member, timeZone: nil)
            )
          ], in: organization.key, isKept: true, context: .call, recording: recording
        ).map { try $0.get() }
      } + [
        StorageCall("that are judged") { organization, storage in
          _ = try await storage.createMembers(
            [
              (
                PreparedOrganization.account(organization.admin.email, "New"),
                NewMember(organization: organization.key, role: .member, timeZone: nil)
              )
            ], in: organization.key, isKept: false, context: .call, recording: nil)
        }
      ]),
    StorageMethod(
      "updateMember(_:in:expectedVersion:passwordHash:context:_:)", .writes, .organization,
      [
        update("by name and password", of: \.member, password: PasswordHash(text: "$scrypt$b")) {
          $0.name = "Changed"
        },
        update("by personnel number", of: \.member) { $0.personnelNumber = "7" },
        update("by language", of: \.member) { $0.language = .es },
        update("by address", of: \.member) {
          $0.email = (try? PreparedOrganization.newEmail().text) ?? $0.email
        },
        update("who is deactivated while clocked in", of: \.member) { $0.isActive = false },
        update("who is the last admin", of: \.admin) { $0.isActive = false },
        update("who becomes an admin", of: \.member) { $0.role = .admin },
        update("of another version", of: \.member, version: 9) { _ in },
      ]),
    StorageMethod(
      "updateAccount(of:_:context:)", .writes, .account,
      [
        StorageCall("by name and zone") {
          try await $1.updateAccount(
            of: $0.member.key.user,
            AccountChanges(name: "Changed", timeZone: .some(nil), language: .de, address: nil),
            context: .call)
        },
        StorageCall("by address") {
          let address = (try PreparedOrganization.newEmail(), PreparedOrganization.password)
          try await $1.updateAccount(
            of: $0.member.key.user, AccountChanges(name: nil, timeZone: nil, language: nil, address: address),
            context: .call
          )
        },
      ]),
  ]

  private static func update(
    _ name: String, of person: KeyPath<PreparedOrganization, PreparedOrganization.Person> & Sendable,
    version: Int64? = nil, password: PasswordHash? = nil,
    _ change: @escaping @Sendable (inout Member) -> Void
  ) -> StorageCall {
    StorageCall(name) { organization, storage in
      try await storage.updateMember(
        organization[keyPath: person].id, in: organization.key, expectedVersion: version,
        passwordHash: password, context: .call, change)
    }
  }

  static let personalData: [StorageMethod] = [
    StorageMethod(
      "personalChanges(of:in:after:)", .reads, .organization,
      [
        StorageCall { try await $1.personalChanges(of: $0.member.id, in: $0.key, after: nil).elements },
        StorageCall(
          "from a place on",
          // Only the first page waits for unsealed changes.
          after: { _ = try await $1.changes(of: $0.key, after: 0, resources: [], limit: 1) },
          {
            try await $1.personalChanges(of: $0.member.id, in: $0.key, after: RowCursor(row: 2)).elements
          }),
      ]),
    StorageMethod(
      "assignedSessions(of:after:limit:)", .reads, .organization,
      [
        StorageCall { try await $1.assignedSessions(of: $0.member.key, after: nil, limit: 9).elements },
        StorageCall("from a place on") {
          try await $1.assignedSessions(of: $0.member.key, after: RowCursor(row: 0), limit: 9).elements
        },
      ]),
    StorageMethod(
      "anonymizeMember(_:in:context:recording:)", .writes, .organization,
      onceAndRecorded(
        "who is inactive",
        after: { organization, storage in
          _ = try await storage.updateMember(
            organization.member.id, in: organization.key, expectedVersion: nil, passwordHash: nil,
            context: .call
          ) { $0.isActive = false }
        },
        { organization, storage, recording in
          try await storage.anonymizeMember(
            organization.member.id, in: organization.key, context: .call, recording: recording)
        })
        + [
          StorageCall("who is active") {
            try await $1.anonymizeMember($0.member.id, in: $0.key, context: .call)
          }
        ]),
  ]
}
