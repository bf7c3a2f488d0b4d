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
      ofEverybodyAndOne { user, organization, storage in
        // They come in any order.
        try await storage.scheduleRows(of: user, in: organization.key).map(\.row.from).sorted()
      }),
    StorageMethod(
      "holidays(ofSchedulesOf:in:)", .reads, .organization,
      ofEverybodyAndOne { user, organization, storage in
        try await storage.holidays(ofSchedulesOf: user, in: organization.key).values.map(\.all)
      }),
    StorageMethod(
      "adjustments(of:in:)", .reads, .organization,
      ofEverybodyAndOne { user, organization, storage in
        try await storage.adjustments(of: user, in: organization.key).values.map { $0 }
      }),
    StorageMethod(
      "entitlementRows(of:_:in:of:)", .reads, .organization,
      ofEverybodyAndOne { user, organization, storage in
        try await storage.entitlementRows(of: user, .vacation, in: 2026, of: organization.key).values.map(
          \.days)
      }),
  ]

  /// A call about all members, and one about a member.
  private static func ofEverybodyAndOne<Answer: Sendable>(
    _ body: @escaping @Sendable (UserKey?, PreparedOrganization, any Storage) async throws -> Answer
  ) -> [StorageCall] {
    [
      StorageCall("of everybody") { try await body(nil, $0, $1) },
      StorageCall("of a member") { try await body($0.member.key.user, $0, $1) },
    ]
  }
}
