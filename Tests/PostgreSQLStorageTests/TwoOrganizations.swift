import TimeclockDomain

@testable import PostgreSQLStorage

/// Two organizations with all that they could be taken for each other by: one person is the admin of both, and an
/// entry, a session and an API token of one have the public ids of the other's.
struct TwoOrganizations: Sendable {
  private(set) var storage: PostgreSQLStorage
  let number: Int
  let ours: Membership
  let theirs: Membership
  /// A member of theirs only.
  let theirMember: Membership
  let entryID: TimeEntryID = TestOffice.identifiers.next(at: TestDatabase.now)
  let sessionID: SessionID = TestOffice.identifiers.next(at: TestDatabase.now)
  let tokenID: ApiTokenID = TestOffice.identifiers.next(at: TestDatabase.now)

  private static let now = TestDatabase.now

  /// Makes both, and fills theirs.
  ///
  /// - Parameter number: A number that no others in the database have.
  init(in storage: PostgreSQLStorage, number: Int) async throws {
    self.storage = storage
    self.number = number
    theirs = try await Self.found("Umbrella", in: storage, number: 2 * number, PasswordHash(text: "a"))
    ours = try await Self.found("Acme", in: storage, number: 2 * number + 1, nil)
    theirMember = try await Self.join(theirs, "q\(number)", in: storage)
    try await create("Umbrella", in: theirs, assignees: [theirs.userID, theirMember.userID])
    _ = try await storage.createTimeEntry(
      entry(hour: -5, of: theirs, id: TestOffice.identifiers.next(at: Self.now)))
    _ = try await storage.createTimeEntry(
      entry(hour: 0, isActive: true, of: theirMember, id: TestOffice.identifiers.next(at: Self.now)))
    _ = try await storage.createTimeEntry(
      entry(hour: 1, isActive: true, of: theirs, id: TestOffice.identifiers.next(at: Self.now)))
    _ = try await storage.changes(of: theirs.key.organization, after: 0, resources: [], limit: 1)
  }

  /// The same two, asked for through another storage.
  func moved(to storage: PostgreSQLStorage) -> TwoOrganizations {
    var moved = self
    moved.storage = storage
    return moved
  }

  /// An organization; its admin is the same person each time.
  private static func found(
    _ name: String, in storage: PostgreSQLStorage, number: Int, _ hash: PasswordHash?
  ) async throws -> Membership {
    guard let zone = TimeZoneIdentifier("Europe/Berlin") else { throw Absent() }
    let organization = Organization(
      id: TestOffice.identifiers.next(at: now), name: name, timeZone: zone, createdAt: now, updatedAt: now)
    let digest = digest(number, 0)
    _ = try await storage.createOrganization(
      organization,
      admin: NewAccount(
        userID: TestOffice.identifiers.next(at: now), email: EmailAddress("p\(number / 2)@example.com"),
        name: name, passwordHash: hash),
      token: NewToken(digest: digest, createdAt: now, expiresAt: .latest), context: .test())
    guard
      let admin = try await storage.authenticate(digest, organizationID: organization.id, at: now)?.membership
    else { throw Absent() }
    return admin
  }

  private static func digest(_ number: Int, _ kind: UInt8) -> TokenDigest {
    TokenDigest(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) &+ kind })
  }

  /// A new account as another admin.
  private static func join(
    _ admin: Membership, _ name: String, in storage: PostgreSQLStorage
  ) async throws -> Membership {
    let member = try await storage.createMember(
      NewAccount(
        userID: TestOffice.identifiers.next(at: now), email: EmailAddress("\(name)@example.com"), name: name,
        passwordHash: PasswordHash(text: "a")),
      NewMember(organization: admin.key.organization, role: .admin, timeZone: nil), context: .test())
    guard let membership = try await storage.membership(of: member.userID, in: admin.key.organization) else {
      throw Absent()
    }
    return membership
  }

  /// What both have under the same ids.
  private func create(_ name: String, in organization: Membership, assignees: [UserID]) async throws {
    let key = organization.key.organization
    _ = try await storage.createSession(
      Session(
        id: sessionID, organizationID: organization.organizationID, date: Self.now.utcDate, title: name,
        startTime: nil, endTime: nil, location: nil, assigneeIDs: assignees, version: 1, createdAt: Self.now,
        updatedAt: Self.now), in: key, context: .test())
    _ = try await storage.createTimeEntry(
      entry(hour: -2, of: organization, id: entryID, session: sessionID, notes: name))
    try await storage.createApiToken(
      ApiToken(
        id: tokenID, name: name, userID: organization.userID, createdAt: Self.now, expiresAt: .latest,
        lastUsedAt: nil),
      digest: Self.digest(Int(key.value), 7), in: key, context: .test())
  }

  /// An entry that begins so many hours after now and lasts one, or runs on.
  private func entry(
    hour: Int64, isActive: Bool = false, of member: Membership, id: TimeEntryID, session: SessionID? = nil,
    notes: String? = nil
  ) -> NewTimeEntry {
    let begin = Self.now.adding(milliseconds: hour * 3_600_000)
    return NewTimeEntry(
      member: member.key,
      entry: TimeEntry(
        id: id, userID: member.userID, organizationID: member.organizationID, clockInTime: begin,
        clockOutTime: isActive ? nil : begin.adding(milliseconds: 3_600_000), date: begin.utcDate,
        timeZone: member.organizationTimeZone, offsetSeconds: 3_600, sessionID: session,
        notes: notes.map(Notes.init(stored:)), source: .api, flags: [], version: 1, createdAt: begin,
        updatedAt: begin),
      needsSessionAssignment: true, context: .test())
  }
}

// What ours asks.
extension TwoOrganizations {
  /// Asks and writes as ours, with ids of theirs and with those that both have.
  ///
  /// - Returns: What came of each, in words that are the same each time: no ids, and no texts but names.
  func useOurs() async throws -> [String] {
    var answers = Answers()
    await ask(of: theirMember, &answers)
    await writeTheirs(&answers)
    await answers.add("make the same") {
      try await create("Acme", in: ours, assignees: [ours.userID])
      _ = try await storage.createTimeEntry(
        entry(hour: 2, isActive: true, of: ours, id: TestOffice.identifiers.next(at: Self.now)))
      return "made"
    }
    await ask(of: ours, &answers)
    await writeOurs(&answers)
    await ask(of: ours, &answers)
    await endMemberships(&answers)
    return answers.lines
  }

  /// The key of a membership of ours, which there may be none of.
  private func key(of member: Membership) -> MemberKey {
    MemberKey(organization: ours.key.organization, user: member.key.user)
  }

  private func ask(of member: Membership, _ answers: inout Answers) async {
    await askForEntries(of: member, &answers)
    await askForOthers(of: member, &answers)
    await askForChanges(of: member, &answers)
  }

  private func askForEntries(of member: Membership, _ answers: inout Answers) async {
    let organization = ours.key.organization
    let ranges: [TimeEntryRange] = [
      .dates(from: nil, through: nil),
      .overlapping(from: Self.now.adding(milliseconds: -3_600_001), to: Self.now),
    ]
    let storage = storage
    await answers.add("entry") {
      "\(try await storage.timeEntry(entryID, in: organization)?.words ?? "none")"
    }
    await answers.add("active") {
      "\(try await storage.activeTimeEntry(of: key(of: member))?.words ?? "none")"
    }
    await answers.add("overlaps") {
      let found = try await storage.overlaps(
        of: key(of: member), from: .earliest, to: Self.now.adding(milliseconds: 9_000_000), excluding: nil)
      return "\(found.count) \(found.entries.map(\.words))"
    }
    for range in ranges {
      for (user, session) in [(nil, nil), (member.key.user, nil), (nil, sessionID)]
        as [(UserKey?, SessionID?)]
      {
        await answers.add("list") {
          try await storage.timeEntries(
            TimeEntryQuery(
              organization: organization, user: user, range: range, status: nil, session: session,
              cursor: nil, limit: 50)
          ).elements.map(\.words).description
        }
        await answers.add("export") {
          try await storage.exportTimeEntries(
            TimeEntryExportQuery(
              organization: organization, user: user, range: range, status: nil, session: session),
            into: [String]()
          ) { lines, exported in
            lines.append("\(exported.entry.words) \(exported.userName) \(exported.sessionTitle ?? "none")")
            return true
          }.output.description
        }
        for hasDetails in [false, true] {
          await answers.add("report") {
            try await storage.report(
              on: WorkedTimeQuery(
                organization: organization, user: user, endingAfter: .earliest, beginningBefore: .latest,
                session: session, hasDetails: hasDetails)
            ) { time in
              let people = time.people.values.map(\.name).sorted()
              return "\(time.entries.count) \(people) \(time.sessions.values.map(\.title).sorted())"
            }
          }
        }
      }
    }
    await answers.add("presence") {
      try await storage.presence(
        PresenceQuery(
          organization: organization, workedSince: Self.now.adding(milliseconds: -50_000_000), limit: 9)
      ).elements.map { "\($0.name) \($0.worked.count) \($0.sessionID == nil)" }.description
    }
  }

  private func askForOthers(of member: Membership, _ answers: inout Answers) async {
    let organization = ours.key.organization
    let storage = storage
    await answers.add("session") {
      try await storage.session(sessionID, in: organization)?.words ?? "none"
    }
    for assignee in [nil, member.key.user] {
      await answers.add("sessions") {
        try await storage.sessions(SessionQuery(organization: organization, assignee: assignee, limit: 9))
          .elements.map(\.words).description
      }
    }
    await answers.add("assigned sessions") {
      try await storage.assignedSessions(of: key(of: member), after: nil, limit: 9).elements.map(\.title)
        .description
    }
    await answers.add("member") {
      try await storage.member(member.userID, in: organization)?.name ?? "none"
    }
    await answers.add("membership") {
      "\(try await storage.membership(of: member.userID, in: organization)?.role.rawValue ?? "none")"
    }
    await answers.add("memberships") {
      "\(try await storage.memberships(of: [member.userID, ours.userID], in: organization).count)"
    }
    await answers.add("members") {
      try await storage.members(of: organization, after: nil, limit: 9).elements.map(\.name).description
    }
    await answers.add("API tokens") {
      try await storage.apiTokens(of: organization, after: nil, limit: 9).elements.map(\.name).description
    }
    await answers.add("organization") { try await storage.organization(organization).name }
  }

  private func askForChanges(of member: Membership, _ answers: inout Answers) async {
    let organization = ours.key.organization
    let storage = storage
    await answers.add("unsealed") { "\(try await storage.unsealedChanges(of: organization))" }
    await answers.add("changes") {
      let changes = try await storage.changes(
        of: organization, after: 0, resources: Set(Snapshot.Kind.allCases), limit: 500)
      return "\(changes.count)"
    }
    await answers.add("stored changes") {
      "\(try await storage.storedChanges(of: organization, after: 0, limit: 500).count)"
    }
    for resource in [nil, ResourceID(high: entryID.high, low: entryID.low)] {
      await answers.add("audit log") {
        let page = try await storage.auditLog(
          AuditLogQuery(organization: organization, resourceID: resource, limit: 500))
        return "\(page.elements.count)"
      }
    }
    await answers.add("personal changes") {
      let page = try await storage.personalChanges(of: member.userID, in: organization, after: nil)
      return "\(page.elements.count) \(page.next == nil)"
    }
  }

  /// Writes that find nothing.
  private func writeTheirs(_ answers: inout Answers) async {
    let organization = ours.key.organization
    let storage = storage
    await answers.add("clock their member out") {
      try await storage.clockOut(clockOut(of: key(of: theirMember))).words
    }
    await answers.add("clock their member in") {
      var new = entry(
        hour: 5, isActive: true, of: theirMember, id: TestOffice.identifiers.next(at: Self.now))
      new.member = key(of: theirMember)
      return try await storage.createTimeEntry(new).words
    }
    await answers.add("clock in for their session") {
      try await storage.createTimeEntry(
        entry(
          hour: 5, isActive: true, of: ours, id: TestOffice.identifiers.next(at: Self.now), session: sessionID
        )
      ).words
    }
    await change(&answers)
    await answers.add("a token for their member") {
      let token = ApiToken(
        id: TestOffice.identifiers.next(at: Self.now), name: "Acme", userID: theirMember.userID,
        createdAt: Self.now, expiresAt: .latest, lastUsedAt: nil)
      try await storage.createApiToken(
        token, digest: Self.digest(number, 99), in: organization, context: .test())
      return "made"
    }
    await answers.add("a session for their member") {
      try await storage.createSession(
        Session(
          id: TestOffice.identifiers.next(at: Self.now), organizationID: ours.organizationID,
          date: Self.now.utcDate, title: "Acme", startTime: nil, endTime: nil, location: nil,
          assigneeIDs: [theirMember.userID], version: 1, createdAt: Self.now, updatedAt: Self.now),
        in: organization, context: .test()
      ).words
    }
    await answers.add("update their member") {
      try await storage.updateMember(
        theirMember.userID, in: organization, expectedVersion: nil, passwordHash: nil,
        context: .test(at: Self.now)
      ) { $0.name = "Acme" }.name
    }
    await answers.add("anonymize their member") {
      try await storage.anonymizeMember(theirMember.userID, in: organization, context: .test()).name
    }
    await delete(&answers)
  }

  /// Writes that find what ours has.
  private func writeOurs(_ answers: inout Answers) async {
    let storage = storage
    await answers.add("clock in twice") {
      try await storage.createTimeEntry(
        entry(hour: 3, isActive: true, of: ours, id: TestOffice.identifiers.next(at: Self.now))
      ).words
    }
    await answers.add("clock out") { try await storage.clockOut(clockOut(of: ours.key)).words }
    await change(&answers)
    await answers.add("entries together") {
      let hours: [Int64] = [-8, -2, -8]
      return try await storage.createTimeEntries(
        hours.map { entry(hour: $0, of: ours, id: TestOffice.identifiers.next(at: Self.now)) },
        keeping: .accepted
      ).map { Answers.words($0.map(\.words)) }.description
    }
    await answers.add("import") {
      let hours: [Int64] = [-11, -2]
      return try await storage.importTimeEntries(
        ImportBatch(
          organization: ours.key.organization, newMembers: [],
          entries: hours.map {
            ImportedEntry(
              owner: .member(ours.key),
              entry: entry(hour: $0, of: ours, id: TestOffice.identifiers.next(at: Self.now)).entry)
          }, context: .test()), isDryRun: false, recording: nil
      ).entries.map { Answers.words($0.map(\.words)) }.description
    }
    await answers.add("forgotten") {
      _ = try await storage.updateOrganization(
        ours.key.organization, expectedVersion: nil, context: .test(at: Self.now)
      ) {
        $0.name = "Acme 2"
        $0.policy.autoClockOutSeconds = 60
      }
      _ = try await storage.createTimeEntry(
        entry(hour: 4, isActive: true, of: ours, id: TestOffice.identifiers.next(at: Self.now)))
      return try await storage.closeForgottenEntries(
        in: ours.key.organization, limit: 9, context: .test(at: Self.now.adding(milliseconds: 30_000_000))
      ).map(\.words).description
    }
    await delete(&answers)
  }

  private func clockOut(of member: MemberKey) -> ClockOut {
    ClockOut(
      member: member, time: Self.now.adding(milliseconds: 9_000_000), isStated: false, notes: nil,
      policy: .standard, context: .test(at: Self.now))
  }

  private func change(_ answers: inout Answers) async {
    let organization = ours.key.organization
    let storage = storage
    await answers.add("update the entry") {
      try await storage.updateTimeEntry(
        TimeEntryUpdate(
          id: entryID, organization: organization, expectedVersion: nil, needsSessionAssignment: true,
          context: .test(at: Self.now))
      ) { $0.notes = Notes(stored: "Acme 2") }.words
    }
    await answers.add("update the session") {
      try await storage.updateSession(
        SessionUpdate(
          id: sessionID, organization: organization, expectedVersion: nil, assigneeIDs: [],
          context: .test(at: Self.now))
      ) { $0.title = "Acme 2" }.words
    }
  }

  private func delete(_ answers: inout Answers) async {
    let organization = ours.key.organization
    let storage = storage
    for isDetaching in [false, true] {
      await answers.add("delete the session") {
        try await storage.deleteSession(
          SessionDeletion(
            id: sessionID, organization: organization, expectedVersion: nil, detachesEntries: isDetaching,
            context: .test(at: Self.now)))
        return "deleted"
      }
    }
    await answers.add("delete the entry") {
      try await storage.deleteTimeEntry(
        TimeEntryUpdate(
          id: entryID, organization: organization, expectedVersion: nil, needsSessionAssignment: true,
          context: .test(at: Self.now))
      ) { _ in }
      return "deleted"
    }
    await answers.add("delete the API token") {
      try await storage.deleteApiToken(tokenID, in: organization, context: .test())
      return "deleted"
    }
  }

  private func endMemberships(_ answers: inout Answers) async {
    let organization = ours.key.organization
    let storage = storage
    await answers.add("deactivate and anonymize") {
      _ = try await storage.createTimeEntry(
        entry(hour: 11, isActive: true, of: ours, id: TestOffice.identifiers.next(at: Self.now)))
      // Refused while there is no other admin.
      var lines: [String] = []
      for _ in 0..<2 {
        lines.append(
          await Answers.words {
            try await storage.updateMember(
              ours.userID, in: organization, expectedVersion: nil, passwordHash: nil,
              context: .test(at: Self.now.adding(milliseconds: 50_000_000))
            ) { $0.isActive = false }.name
          })
        _ = try? await Self.join(ours, "r\(number)", in: storage)
      }
      lines.append(
        try await storage.anonymizeMember(ours.userID, in: organization, context: .test(at: Self.now)).name)
      return lines.description
    }
  }
}

/// What came of each question.
private struct Answers {
  var lines: [String] = []

  mutating func add(_ question: String, _ body: () async throws -> String) async {
    lines.append("\(question): \(await Self.words(body))")
  }

  static func words(_ body: () async throws -> String) async -> String {
    do {
      return try await body()
    } catch {
      return words(Result<String, any Error>.failure(error))
    }
  }

  /// An error by its name, without what it carries.
  static func words<Failure>(_ result: Result<String, Failure>) -> String {
    switch result {
    case .success(let words): words
    case .failure(let error): "refused: \("\(error)".prefix { $0 != "(" && $0 != "[" })"
    }
  }
}

extension TimeEntry {
  fileprivate var words: String {
    "\(notes?.text ?? "no notes") \(version) \(sessionID == nil) \(clockOutTime == nil)"
  }
}

extension SessionDetails {
  fileprivate var words: String { "\(session.title) \(session.version) \(assignees.map(\.name))" }
}
