import Procedures
import TimeclockDomain

extension StoragePart {
  /// The admin's time is approved, and not locked: it binds nobody who makes calls.
  static let periods = StoragePart(StorageCalls.periods) { organization, storage in
    try await organization.approve(
      organization.admin, through: LocalDate(year: 2026, month: 10, day: 31) ?? .latest, storage)
  }
}

extension PreparedOrganization {
  /// The frame of a move by the admin.
  fileprivate var work: PeriodWork {
    var context = ChangeContext.call
    context.author = Author(means: .logIn, userID: admin.id)
    return PeriodWork(
      organizationID: self.id, organization: key, zones: TimeZoneDatabase(),
      identifiers: IdentifierGenerator(), context: context)
  }

  /// Approves a person's time.
  func approve(_ person: Person, through: LocalDate, _ storage: any Storage) async throws {
    _ = try await storage.movePeriod(
      of: person.id, .approve(through: through, includesUnsubmitted: true), work, recording: nil)
  }
}

extension StorageCalls {
  private static let yesterday = PreparedOrganization.today.adding(days: -1)

  fileprivate static let periods: [StorageMethod] = [
    StorageMethod(
      "movePeriod(of:_:_:recording:)", .writes, .organization,
      moves.flatMap { name, move in
        onceAndRecorded(name) { organization, storage, recording in
          try await storage.movePeriod(
            of: organization.member.id, move, organization.work, recording: recording)
        }
      } + [
        StorageCall("up, of somebody whose time is approved already") { organization, storage in
          try await storage.movePeriod(
            of: organization.admin.id, .approve(through: yesterday, includesUnsubmitted: true),
            organization.work, recording: nil)
        },
        StorageCall("back") { organization, storage in
          try await storage.movePeriod(
            of: organization.admin.id, .reopen(through: nil), organization.work, recording: nil)
        },
      ]),
    StorageMethod(
      "movePeriods(of:_:_:)", .writes, .organization,
      [
        StorageCall("up") { organization, storage in
          try await storage.movePeriods(
            of: [organization.member.id, organization.admin.id],
            .lock(through: yesterday, includesUnapproved: true), organization.work
          ).map { try? $0.get() }
        },
        StorageCall("up, and back") { organization, storage in
          _ = try await storage.movePeriods(
            of: [organization.admin.id], .lock(through: yesterday, includesUnapproved: true),
            organization.work)
          return try await storage.movePeriods(
            of: [organization.admin.id], .unlock(through: nil), organization.work
          ).map { try? $0.get() }
        },
        StorageCall("of nobody") { organization, storage in
          try await storage.movePeriods(
            of: [organization.member.id, PreparedOrganization.next()], .withdraw, organization.work
          ).count
        },
      ]),
    StorageMethod(
      "periods(of:in:_:after:limit:)", .reads, .organization,
      ofMembers { members, organization, storage in
        try await storage.periods(of: members, in: organization.key, nil, after: nil, limit: 9).elements
      }
        + ofMembers("in a state, ") { members, organization, storage in
          try await storage.periods(
            of: members, in: organization.key, PeriodFilter(through: yesterday, state: .unsubmitted),
            after: nil, limit: 9
          ).elements
        }),
    StorageMethod(
      "period(of:)", .reads, .organization, [StorageCall { try await $1.period(of: $0.member.key) }]),
    StorageMethod(
      "usersWithPeriods(of:after:limit:)", .reads, .organization,
      [
        StorageCall { organization, storage in
          try await storage.usersWithPeriods(of: organization.key, after: nil, limit: 9).elements
        }
      ]),
    StorageMethod(
      "approvals(of:in:after:limit:)", .reads, .organization,
      ofMembers { members, organization, storage in
        // PostgreSQL seals changes soon.
        try await storage.approvals(of: members, in: organization.key, after: nil, limit: 9)
          .elements.map(\.approval)
      }),
    StorageMethod(
      "standingApprovals(of:on:in:)", .reads, .organization,
      ofMembers { members, organization, storage in
        try await storage.standingApprovals(
          of: members, on: LocalDate.earliest...PreparedOrganization.today, in: organization.key)
      }),
    StorageMethod(
      "standingApproval(of:through:)", .reads, .organization,
      [
        StorageCall { organization, storage in
          try await storage.standingApproval(
            of: organization.admin.key, through: LocalDate(year: 2026, month: 10, day: 31) ?? .latest)
        }
      ]),
    StorageMethod(
      "marks(of:in:)", .reads, .organization,
      ofMembers { members, organization, storage in
        try await storage.marks(of: members, in: organization.key).map { [$0.key.value: $0.value.dates] }
      }),
  ]

  private static let moves: [(String, PeriodMove)] = [
    ("up to submitted", .submit(through: yesterday)),
    ("up to approved", .approve(through: yesterday, includesUnsubmitted: true)),
    ("that is refused", .withdraw),
  ]
}
