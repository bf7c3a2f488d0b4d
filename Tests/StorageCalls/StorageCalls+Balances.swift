import Procedures
import TimeclockDomain

extension StoragePart {
  /// A schedule names a calendar of its own: that of the records would be in use, and could not be deleted.
  static let balances = StoragePart(StorageCalls.balances) { organization, storage in
    let calendar = HolidayCalendar(head: organization.head()) { $0.name = organization.names.text }
    _ = try await storage.createRecord(calendar, in: organization.key, context: .call, recording: nil)
    let holiday = StatedHoliday(
      date: LocalDate(daysSince1970: 20_000), name: organization.names.text, percent: 50)
    _ = try await storage.putHolidays(
      [holiday], of: calendar.id, in: organization.id, organization.key, context: .call
    ) { PreparedOrganization.next() }
    var schedule = WorkSchedule(bare: organization.head(), of: organization.member.id)
    schedule.from = LocalDate(daysSince1970: 19_001)
    schedule.holidayCalendarID = calendar.id
    _ = try await storage.createRecord(
      schedule, in: organization.key, zones: TimeZoneDatabase(), context: .call, recording: nil)
  }
}

extension StorageCalls {
  fileprivate static let balances: [StorageMethod] = [
    StorageMethod(
      "scheduleRows(of:in:)", .reads, .organization,
      ofMembers { members, organization, storage in
        // They come in any order.
        try await storage.scheduleRows(of: members, in: organization.key).map(\.row.from).sorted()
      }),
    StorageMethod(
      "holidays(ofSchedulesOf:in:)", .reads, .organization,
      ofMembers { members, organization, storage in
        try await storage.holidays(ofSchedulesOf: members, in: organization.key)
          .sorted { $0.key < $1.key }.map(\.value.all)
      }),
    StorageMethod(
      "adjustments(of:in:)", .reads, .organization,
      ofMembers { members, organization, storage in
        try await storage.adjustments(of: members, in: organization.key).values.map { $0 }
      }),
    StorageMethod(
      "entitlementRows(of:_:in:of:)", .reads, .organization,
      ofMembers { members, organization, storage in
        try await storage.entitlementRows(of: members, .vacation, in: 2026, of: organization.key).values.map(
          \.days)
      }),
  ]

  /// A call for each way of selecting members.
  static func ofMembers<Answer: Sendable>(
    _ name: String = "",
    _ body: @escaping @Sendable (MemberSelection, PreparedOrganization, any Storage) async throws -> Answer
  ) -> [StorageCall] {
    [
      StorageCall(name + "of everybody") { try await body(.everybody, $0, $1) },
      StorageCall(name + "of a member") { try await body(.member($0.member.key.user), $0, $1) },
      StorageCall(name + "of a group") { try await body(.group($0.group($1)), $0, $1) },
      StorageCall(name + "of a manager's groups") { try await body(.managed(by: $0.admin.key.user), $0, $1) },
    ]
  }
}

extension PreparedOrganization {
  /// The group that is prepared; no group if the storage shows none.
  func group(_ storage: any Storage) async throws -> GroupKey {
    try await storage.groupKey(of: names.id(of: .group), in: key) ?? GroupKey(0)
  }
}
