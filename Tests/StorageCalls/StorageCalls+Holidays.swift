import Procedures
import TimeclockDomain

extension StoragePart {
  static let holidays = StoragePart(StorageCalls.holidays) { organization, storage in
    _ = try await organization.put("2026-12-25", storage, id: organization.names.id(of: .holiday))
  }
}

extension PreparedOrganization {
  /// Keeps a holiday of the prepared calendar.
  fileprivate func put(
    _ date: String, _ storage: any Storage, percent: Int64 = 100, id: Identifier<Holiday> = next()
  ) async throws -> [Holiday] {
    let stated = StatedHoliday(date: day(date), name: names.text, percent: percent)
    return try await storage.putHolidays([stated], of: calendar, in: self.id, key, context: .call) { id }
      .holidays
  }

  fileprivate var calendar: HolidayCalendarID { names.id(of: .holidayCalendar) }

  fileprivate func day(_ text: String) -> LocalDate { LocalDate(iso8601: text) ?? .latest }
}

extension StorageCalls {
  fileprivate static let holidays: [StorageMethod] = [
    StorageMethod(
      "holidays(of:from:through:after:limit:in:)", .reads, .organization,
      [nil, RowCursor(row: 20_000)].map { cursor in
        StorageCall(cursor == nil ? "from the first" : "from a place on") { organization, storage in
          try await storage.holidays(
            of: organization.calendar, from: .earliest, through: .latest, after: cursor, limit: 9,
            in: organization.key)
        }
      }),
    StorageMethod(
      "putHolidays(_:of:in:_:context:recording:newID:)", .writes, .organization,
      [
        StorageCall("on a date without one") { try await $0.put("2026-12-24", $1) },
        StorageCall("in place of another") { try await $0.put("2026-12-25", $1, percent: 50) },
        StorageCall("on a date that is approved", after: approveHoliday) {
          try await $0.put("2026-11-03", $1, percent: 50)
        },
      ]
        + onceAndRecorded("on another date") { organization, storage, recording in
          try await storage.putHolidays(
            [StatedHoliday(date: organization.day("2026-05-01"), name: "May", percent: 100)],
            of: organization.calendar, in: organization.id, organization.key, context: .call,
            recording: recording
          ) { PreparedOrganization.next() }.counts
        }),
    StorageMethod(
      "deleteHoliday(on:of:in:context:)", .writes, .organization,
      [
        StorageCall { organization, storage in
          try await storage.deleteHoliday(
            on: organization.day("2026-12-25"), of: organization.calendar, in: organization.key,
            context: .call)
        }
      ]),
  ]
}

extension StorageCalls {
  /// Approves a date of the prepared calendar for somebody whose schedule names it.
  @Sendable private static func approveHoliday(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws {
    var schedule = WorkSchedule(bare: organization.head(), of: organization.admin.id)
    schedule.from = organization.day("2026-11-02")
    schedule.holidayCalendarID = organization.calendar
    _ = try await storage.createRecord(
      schedule, in: organization.key, zones: TimeZoneDatabase(), context: .call, recording: nil)
    try await organization.approve(organization.admin, through: organization.day("2026-11-10"), storage)
  }
}
