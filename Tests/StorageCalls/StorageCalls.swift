import Procedures
import TimeclockDomain

/// Every method of the storage protocol, once by name.
///
/// Tests that are about every method go through it: that a closed storage refuses them, that an organization sees
/// nothing of another, that every statement searches an index, and that row-level security holds behind each.
package enum StorageCalls {
  /// All methods. A test compares their names with the protocol's.
  package static let all: [StorageMethod] = parts.flatMap(\.methods)

  /// The parts of the protocol. One whose records entries refer to stands before the entries.
  static let parts: [StoragePart] = [
    StoragePart(service + organizations + members + personalData + passwords + tokens),
    .sessions,
    .groups,
    .recordReads,
    .payRules,
    .records,
    .holidays,
    .memberRecords,
    .absences,
    .projects,
    .tasks,
    .apiTokens,
    .invitations,
    .timeEntries,
    .segments,
    .punches,
    .webhooks,
    .reminders,
    .balances,
    .periods,
    .corrections,
    .timers,
    .pushTargets,
    .historyReset,
    .organizationLife,
    StoragePart(logInAttempts + reports + answers + changes),
  ]

  /// Whether a method only looks; one that the catalogue does not name writes.
  ///
  /// - Parameter name: The full name, as `StorageInFront.enter(_:)` is given it.
  package static func kind(of name: String) -> StorageMethod.Kind { kinds[name] ?? .writes }

  private static let kinds = Dictionary(
    uniqueKeysWithValues: all.map { ($0.name, $0.kind) } + [("read(_:_:in:limit:_:)", .reads)])

  /// All but `close()`, after which nothing can be asked.
  package static let whileOpen = all.filter { $0.name != "close()" }

  /// Goes through all calls but those of `close()`, and gives each an organization in which it has been prepared. Calls
  /// that only read share one.
  package static func forEachCall(
    in storage: any Storage,
    _ body: (StorageMethod, StorageCall, PreparedOrganization) async throws -> Void
  ) async throws {
    let shared = try await PreparedOrganization.make("Acme", in: storage)
    for method in whileOpen {
      for call in method.calls {
        let organization =
          method.kind == .reads ? shared : try await PreparedOrganization.make("Acme", in: storage)
        try await call.prepare(organization, in: storage)
        try await body(method, call, organization)
      }
    }
  }

  /// Makes all calls but those of `close()`, with any outcome.
  package static func callAll(in storage: any Storage) async throws {
    try await forEachCall(in: storage) { _, call, organization in
      _ = await call.outcome(organization, in: storage)
    }
  }

  /// The state that an organization's own calls show.
  package static func state(
    of organization: PreparedOrganization, in storage: any Storage
  ) async -> [String] {
    var answers: [String] = []
    for method in all where method.kind == .reads && method.scope == .organization {
      for call in method.calls.prefix(1) {
        answers.append("\(call.name): \(await call.outcome(organization, in: storage))")
      }
    }
    return answers
  }

  static let service: [StorageMethod] = [
    StorageMethod("checkReadiness()", .reads, .service, [StorageCall { try await $1.checkReadiness() }]),
    StorageMethod(
      "takesTurn(at:)", .reads, .service,
      [StorageCall { _, storage in _ = await storage.takesTurn(at: .counting) }]),
    StorageMethod("close()", .writes, .service, [StorageCall { await $1.close() }]),
  ]

  static let organizations: [StorageMethod] = [
    StorageMethod(
      "createOrganization(_:admin:token:context:recording:)", .writes, .service,
      [false, true].map { isRecorded in
        StorageCall(isRecorded ? "with an account that is there, recorded" : "with a new account") {
          organization, storage in
          try await storage.createOrganization(
            Organization(
              id: PreparedOrganization.next(), name: "New", timeZone: organization.timeZone,
              createdAt: PreparedOrganization.start, updatedAt: PreparedOrganization.start),
            admin: isRecorded
              ? PreparedOrganization.account(organization.member.email, "New")
              : PreparedOrganization.account(
                PreparedOrganization.newEmail(), "New", PreparedOrganization.password),
            token: newToken, context: .call, recording: isRecorded ? recording() : nil)
        }
      }),
    StorageMethod(
      "organization(_:)", .reads, .organization, [StorageCall { try await $1.organization($0.key) }]),
    StorageMethod(
      "updateOrganization(_:expectedVersion:context:_:)", .writes, .organization,
      [
        StorageCall { organization, storage in
          try await storage.updateOrganization(organization.key, expectedVersion: 1, context: .call) {
            $0.name = "Changed"
            $0.policy.autoClockOutSeconds = 3_600
          }
        },
        StorageCall("of another version") { organization, storage in
          try await storage.updateOrganization(organization.key, expectedVersion: 9, context: .call) { _ in }
        },
        StorageCall("to the zone of others, while somebody has a mark") { organization, storage in
          try await storage.updateOrganization(organization.key, expectedVersion: nil, context: .call) {
            $0.timeZone = TimeZoneIdentifier("Asia/Kathmandu") ?? $0.timeZone
          }
        },
      ]),
  ]

  static let reports: [StorageMethod] = [
    StorageMethod(
      "presence(_:)", .reads, .organization,
      [
        StorageCall { organization, storage in
          try await storage.presence(
            PresenceQuery(
              organization: organization.key, workedSince: hour(-24), limit: 9))
        },
        StorageCall("of a group") { organization, storage in
          try await storage.presence(
            PresenceQuery(
              organization: organization.key, members: .group(organization.group(storage)),
              workedSince: hour(-24), limit: 9))
        },
        StorageCall("of a manager's groups") { organization, storage in
          try await storage.presence(
            PresenceQuery(
              organization: organization.key, members: .managed(by: organization.admin.key.user),
              workedSince: hour(-24), limit: 9))
        },
        StorageCall("of a span, from a place on") { organization, storage in
          try await storage.presence(
            PresenceQuery(
              organization: organization.key, beginningFrom: hour(-24), beginningBefore: hour(24),
              workedSince: hour(-24), cursor: .beginning, limit: 9))
        },
      ]),
    StorageMethod(
      "report(on:_:)", .reads, .organization,
      selections.flatMap { selection in
        // Every way of reading segments, with details and with ids.
        [
          (WorkedSegmentSelection.none, false, false, false), (.none, true, false, false),
          (.breaks, false, true, false), (.breaks, false, true, true), (.breaks, true, false, false),
          (.all(tag: nil), false, false, false), (.all(tag: "a"), true, true, false),
        ].map { segments, hasDetails, hasIDs, hasWholeShifts in
          let traits = (hasDetails ? ", with details" : "") + (hasWholeShifts ? ", whole shifts" : "")
          return StorageCall("of \(selection) with \(segments)\(traits)") {
            organization, storage in
            try await storage.report(
              on: WorkedTimeQuery(
                organization: organization.key, members: selection.members(of: organization, in: storage),
                endingAfter: hour(-24), beginningBefore: hour(24),
                session: selection.session(of: organization),
                hasDetails: hasDetails, hasIDs: hasIDs, hasWholeShifts: hasWholeShifts, segments: segments)
            ) { time in
              // They come in any order.
              var time = time
              time.entries.sort { $0.clockIn < $1.clockIn }
              time.segments.sort { $0.start < $1.start }
              // Rows have other numbers in every database.
              for place in time.segments.indices {
                time.segments[place].project = time.segments[place].project.map { _ in 0 }
                time.segments[place].task = time.segments[place].task.map { _ in 0 }
                time.segments[place].breakType = time.segments[place].breakType.map { _ in 0 }
              }
              return time
            }
          }
        }
      }),
  ]

  static let answers: [StorageMethod] = [
    StorageMethod(
      "recordedAnswer(for:at:)", .reads, .account,
      [
        StorageCall { organization, storage in
          try await storage.recordedAnswer(
            for: IdempotencyKey(
              digest: PreparedOrganization.newDigest().bytes, user: organization.member.key.user),
            at: PreparedOrganization.start)
        }
      ]),
    StorageMethod(
      "recordAnswer(_:)", .writes, .account,
      [
        StorageCall { organization, storage in
          try await storage.recordAnswer(recording(by: organization.member))
        }
      ]),
    StorageMethod(
      "deleteExpiredAnswers(at:limit:)", .writes, .service,
      [StorageCall { try await $1.deleteExpiredAnswers(at: PreparedOrganization.start, limit: 5) }]),
  ]

  static let changes: [StorageMethod] = [
    StorageMethod(
      "changes(of:after:resources:limit:)", .reads, .organization,
      [Set(Snapshot.Kind.allCases), [.session, .timeEntry]].flatMap { kinds in
        [0, 2].map { sequence in
          StorageCall("of \(kinds.count) kinds after \(sequence)") { organization, storage in
            try await storage.changes(of: organization.key, after: sequence, resources: kinds, limit: 50)
          }
        }
      }),
    StorageMethod(
      "auditLog(_:)", .reads, .organization,
      [
        StorageCall { try await $1.auditLog(AuditLogQuery(organization: $0.key, limit: 50)) },
        StorageCall("of one entry") { organization, storage in
          try await storage.auditLog(
            AuditLogQuery(
              organization: organization.key, resource: .timeEntry,
              resourceID: ResourceID(organization.names.entry), limit: 50))
        },
        StorageCall("of an author and an operation, from a place on") { organization, storage in
          try await storage.auditLog(
            AuditLogQuery(
              organization: organization.key, author: organization.member.id, operation: "call",
              from: hour(-24), to: hour(24), cursor: RowCursor(row: 100), limit: 50))
        },
      ]),
    StorageMethod(
      "storedChanges(of:after:limit:)", .reads, .organization,
      [StorageCall { try await $1.storedChanges(of: $0.key, after: 0, limit: 50).map(\.content.after) }]),
    StorageMethod(
      "listen(to:_:)", .reads, .organization,
      [
        StorageCall { organization, storage in
          withExtendedLifetime(storage.listen(to: organization.key) {}) { "listening" }
        }
      ]),
    StorageMethod(
      "logEnd(of:)", .reads, .organization,
      [StorageCall { try await $1.logEnd(of: $0.key).sequence }]),
    StorageMethod(
      "unsealedChanges(of:)", .reads, .organization,
      [StorageCall { try await $1.unsealedChanges(of: $0.key) }]),
    StorageMethod(
      "organizations()", .reads, .service,
      [StorageCall { _, storage in try await !storage.organizations().isEmpty }]),
  ]
}

/// The owners of the entries of a list, an export or a report.
enum EntrySelection: CaseIterable, CustomStringConvertible {
  case everybody
  case member
  case group
  case managed
  case session

  var description: String {
    switch self {
    case .everybody: "everybody"
    case .member: "a member"
    case .group: "a group"
    case .managed: "a manager's groups"
    case .session: "a session"
    }
  }

  func user(of organization: PreparedOrganization) -> UserKey? {
    self == .member ? organization.member.key.user : nil
  }

  /// The owners if no user is stated.
  func among(of organization: PreparedOrganization, in storage: any Storage) async throws -> MemberSelection {
    switch self {
    case .group: .group(try await organization.group(storage))
    case .managed: .managed(by: organization.admin.key.user)
    case .everybody, .member, .session: .everybody
    }
  }

  func members(of organization: PreparedOrganization, in storage: any Storage) async throws -> MemberSelection
  {
    if let user = user(of: organization) { return .member(user) }
    return try await among(of: organization, in: storage)
  }

  func session(of organization: PreparedOrganization) -> SessionID? {
    self == .session ? organization.names.session : nil
  }
}

extension StorageCalls {
  static let selections = EntrySelection.allCases

  /// The instant `hours` hours after `PreparedOrganization.start`.
  static func hour(_ hours: Int64) -> Instant {
    PreparedOrganization.start.adding(milliseconds: hours * 3_600_000)
  }

  /// A token that nobody has.
  static var newToken: NewToken {
    NewToken(
      digest: PreparedOrganization.newDigest(), createdAt: PreparedOrganization.start, expiresAt: .latest,
      client: nil)
  }

  /// Has a write keep an answer under a new key.
  static func recording<Value: Sendable>(
    by person: PreparedOrganization.Person? = nil
  ) -> AnswerRecording<Value> {
    let key = IdempotencyKey(digest: PreparedOrganization.newDigest().bytes, user: person?.key.user)
    return AnswerRecording(key: key, time: PreparedOrganization.start) { _ in
      RecordedAnswer(
        fingerprint: key.digest, salt: nil, status: 200, entityTag: nil, location: nil, body: [])
    }
  }

  /// The same call, once by itself and once with its answer recorded.
  static func onceAndRecorded<Value: Sendable, Answer: Sendable>(
    _ name: String = "",
    after preparation: StorageCall.Preparation? = nil,
    _ body:
      @escaping @Sendable (PreparedOrganization, any Storage, AnswerRecording<Value>?) async throws -> Answer
  ) -> [StorageCall] {
    [
      StorageCall(name, after: preparation) { try await body($0, $1, nil) },
      StorageCall(name.isEmpty ? "recorded" : "\(name), recorded", after: preparation) {
        try await body($0, $1, recording(by: $0.member))
      },
    ]
  }
}
