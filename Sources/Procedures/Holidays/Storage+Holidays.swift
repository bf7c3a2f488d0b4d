import TimeclockDomain

extension Holiday {
  /// Those of the calendar `$2` from `$3` through `$4`.
  fileprivate static let between = table.statement(
    where: "r.calendar_id = $2 AND r.date >= $3 AND r.date <= $4")
  /// All holidays of the calendar `$2`.
  fileprivate static let ofCalendar = table.statement(where: "r.calendar_id = $2")
  /// A page by date: behind `$2`, at most `$3`, of the calendar `$4`, through `$5`.
  fileprivate static let page = table.statement(
    where: "r.date > $2 AND r.calendar_id = $4 AND r.date <= $5 ORDER BY r.date LIMIT $3")
  fileprivate static let count = RecordStatement(
    "FROM holidays WHERE organization_id = $1 AND calendar_id = $2",
    columns: RecordColumns([("count", "count(*)")]))
}

extension HolidayCalendar {
  /// Nobody else changes its holidays.
  fileprivate static let locked = table.locked("FOR NO KEY UPDATE OF r")

  package static func prepareDeletion<Transaction: RecordTransaction>(
    of found: NumberedRecord<HolidayCalendar>, in organization: OrganizationKey, _ context: ChangeContext,
    _ transaction: Transaction
  ) async throws {
    try await transaction.requireNoSchedules(ofCalendar: found.number, in: organization)
    let holidays = try await transaction.read(
      Holiday.ofCalendar, [.key(organization), .integer(found.number)], NumberedRecord<Holiday>.init)
    try await transaction.delete(from: Holiday.table.rows, of: organization, keys: holidays.map(\.number))
    try await transaction.log(
      each: holidays.map { ($0.record.snapshot, nil) }, in: organization, context)
  }
}

/// Holidays that were kept together.
package struct KeptHolidays: Sendable {
  /// As they are now, in the order in which they were stated.
  package private(set) var holidays: [Holiday] = []
  package private(set) var counts = HolidayCounts()
  fileprivate private(set) var new: [Holiday] = []
  /// With the numbers of their rows.
  fileprivate private(set) var changed: [(Holiday, Int64?)] = []
  fileprivate private(set) var changes: [(before: Snapshot?, after: Snapshot?)] = []

  /// Adds a stated holiday.
  ///
  /// - Parameters:
  ///   - found: The one on its date; nil if there is none.
  ///   - new: Makes one.
  fileprivate mutating func put(
    _ stated: StatedHoliday, over found: NumberedRecord<Holiday>?, at time: Instant, new: () -> Holiday
  ) throws {
    guard let found else {
      let holiday = new()
      self.new.append(holiday)
      changes.append((nil, holiday.snapshot))
      holidays.append(holiday)
      return counts.created += 1
    }
    let changed = try found.record.changed(at: time) { ($0.name, $0.percent) = (stated.name, stated.percent) }
    holidays.append(changed ?? found.record)
    guard let changed else { return counts.unchanged += 1 }
    self.changed.append((changed, found.number))
    changes.append((found.record.snapshot, changed.snapshot))
    counts.updated += 1
  }
}

/// The fates of holidays that were stated together.
package struct HolidayCounts: Hashable, Sendable {
  package var created = 0
  package var updated = 0
  package var unchanged = 0

  package init(created: Int = 0, updated: Int = 0, unchanged: Int = 0) {
    self.created = created
    self.updated = updated
    self.unchanged = unchanged
  }
}

extension Storage {
  /// A page of a calendar's holidays, by date.
  ///
  /// - Throws: `.notFound(.holidayCalendar)`.
  package func holidays(
    of calendar: HolidayCalendarID, from start: LocalDate, through end: LocalDate, after cursor: RowCursor?,
    limit: Int, in organization: OrganizationKey
  ) async throws -> Page<Holiday, RowCursor> {
    let found = try await first(
      HolidayCalendar.table.one, [.key(organization), .identifier(calendar)], in: .organization(organization),
      NumberedRecord<HolidayCalendar>.init)
    guard let found else { throw TimeclockError.notFound(.holidayCalendar) }
    let before = cursor ?? RowCursor(row: Int64(start.daysSince1970) - 1)
    return try await page(
      Holiday.page, of: organization, after: before, limit: limit, and: [.integer(found.number), .date(end)]
    ) { row in
      let holiday = try Holiday(&row)
      return (holiday, Int64(holiday.date.daysSince1970))
    }
  }

  /// Keeps a calendar's holidays, each on its date in place of the one there, and writes down what has changed: all of it or
  /// nothing.
  ///
  /// - Parameters:
  ///   - holidays: At most one a date.
  ///   - newID: The id of a new one.
  /// - Throws: `.notFound(.holidayCalendar)`, `.tooManyHolidays`, `.periodLocked`.
  package func putHolidays(
    _ holidays: [StatedHoliday], of calendar: HolidayCalendarID, in organization: OrganizationID,
    _ key: OrganizationKey, context: ChangeContext, recording: AnswerRecording<KeptHolidays>? = nil,
    newID: @escaping @Sendable () -> Identifier<Holiday>
  ) async throws -> KeptHolidays {
    try await write(RecordWrite(.organization(key), isLong: true), recording: recording) { transaction in
      let number = try await transaction.lock(calendar, in: key)
      let there = try await transaction.holidays(on: holidays.map(\.date), ofCalendar: number, in: key)
      var kept = KeptHolidays()
      for stated in holidays {
        try kept.put(stated, over: there[stated.date], at: context.time) {
          Holiday(
            head: Head(id: newID(), organizationID: organization, at: context.time), stated, of: calendar)
        }
      }
      try await transaction.requireRoom(for: kept.new.count, ofCalendar: number, in: key)
      try await transaction.requireOpenHolidays(
        on: kept.new.map(\.date) + kept.changed.map(\.0.date), ofCalendar: number, in: key)
      let references: [String: Int64?] = ["calendar_id": number]
      try await transaction.insert(
        kept.new.map { ShapedRow(record: $0, references: references) }, into: Holiday.table.rows, of: key)
      try await transaction.update(
        kept.changed.map { (ShapedRow(record: $0, references: references), $1) }, in: Holiday.table.rows,
        of: key)
      try await transaction.log(each: kept.changes, in: key, context)
      return kept
    }
  }

  /// Deletes a calendar's holiday on a date, and writes that down.
  ///
  /// - Throws: `.notFound(.holidayCalendar)`, `.notFound(.holiday)`, `.periodLocked`.
  package func deleteHoliday(
    on date: LocalDate, of calendar: HolidayCalendarID, in organization: OrganizationKey,
    context: ChangeContext
  ) async throws {
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let number = try await transaction.lock(calendar, in: organization)
      guard
        let found = try await transaction.holidays(on: [date], ofCalendar: number, in: organization)[date]
      else { throw TimeclockError.notFound(.holiday) }
      try await transaction.requireOpenHolidays(on: [date], ofCalendar: number, in: organization)
      try await transaction.delete(found, in: organization, context)
    }
  }
}

extension RecordTransaction {
  /// Locks a calendar, so that nobody else changes its holidays.
  ///
  /// - Returns: The number of its row.
  fileprivate func lock(
    _ calendar: HolidayCalendarID, in organization: OrganizationKey
  ) async throws -> Int64 {
    let found = try await first(
      HolidayCalendar.locked, [.key(organization), .identifier(calendar)],
      NumberedRecord<HolidayCalendar>.init)
    guard let found else { throw TimeclockError.notFound(.holidayCalendar) }
    return found.number
  }

  /// The holidays of a calendar among some dates.
  fileprivate func holidays(
    on dates: [LocalDate], ofCalendar number: Int64, in organization: OrganizationKey
  ) async throws -> [LocalDate: NumberedRecord<Holiday>] {
    guard let first = dates.min(), let last = dates.max() else { return [:] }
    let values: [RecordValue] = [.key(organization), .integer(number), .date(first), .date(last)]
    let found = try await read(Holiday.between, values, NumberedRecord<Holiday>.init)
    return Dictionary(found.map { ($0.record.date, $0) }) { one, _ in one }
  }

  /// Refuses more holidays than a calendar may have.
  fileprivate func requireRoom(
    for more: Int, ofCalendar number: Int64, in organization: OrganizationKey
  ) async throws {
    guard more > 0 else { return }
    let count = try await first(Holiday.count, [.key(organization), .integer(number)]) { $0.integer("count") }
    guard (count ?? 0) + Int64(more) <= Holiday.maximumCount else { throw TimeclockError.tooManyHolidays }
  }
}

extension Holiday {
  fileprivate init(head: Head<Holiday>, _ stated: StatedHoliday, of calendar: HolidayCalendarID) {
    self.init(head: head) {
      $0.calendarID = calendar
      ($0.date, $0.name, $0.percent) = (stated.date, stated.name, stated.percent)
    }
  }
}
