import Procedures
import TimeclockDomain

/// A record about a member of which tests of all such kinds make some.
package protocol SampledMemberRecord: MemberRecord {
  /// Gives every field but references a value that is not its default.
  static func fill(_ record: inout Self)

  /// Gives the fields alone that every body states a value, another than `fill`.
  static func fillLeast(_ record: inout Self)

  /// Gives the references values.
  ///
  /// - Parameter id: The id of one of each kind in the organization.
  static func refer(_ record: inout Self, to id: ResourceID)

  /// Makes it one that has room beside those of other numbers from 0 to 199.
  static func set(_ record: inout Self, apart number: Int)
}

extension WorkSchedule: SampledMemberRecord {
  package static func fill(_ record: inout WorkSchedule) {
    record.from = LocalDate(daysSince1970: -25_000)
    record.secondsByWeekday = Array(repeating: 86_400, count: 55) + [1]
    record.worksOnHolidays = true
    record.timeZone = "America/St_Johns"
    record.workdayStart = "00:59"
  }

  package static func fillLeast(_ record: inout WorkSchedule) {
    record.from = LocalDate(daysSince1970: 20_000)
    record.secondsByWeekday = [28_800, 0, 0, 0, 0, 0, 0]
  }

  package static func set(_ record: inout WorkSchedule, apart number: Int) {
    record.from = record.from.adding(days: number * 2)
  }

  package static func refer(_ record: inout WorkSchedule, to id: ResourceID) {
    record.holidayCalendarID = Identifier(high: id.high, low: id.low)
  }
}

extension Entitlement: SampledMemberRecord {
  package static func fill(_ record: inout Entitlement) {
    record.year = 2_026
    record.days = 3_660_000
    record.carriedDays = -3_660_000
    record.carriedExpires = LocalDate(daysSince1970: -1)
  }

  package static func fillLeast(_ record: inout Entitlement) {
    record.year = 1_950
    record.days = 1
  }

  package static func set(_ record: inout Entitlement, apart number: Int) {
    record.year = 1_970 + Int64(number)
  }
}

extension Adjustment: SampledMemberRecord {
  package static func fill(_ record: inout Adjustment) {
    record.date = LocalDate(daysSince1970: 20_454)
    record.seconds = -36_000_000
    record.kind = .payout
    record.reason = "Küche \u{65}\u{301} 👩‍🍳 \"'; --"
  }

  package static func fillLeast(_ record: inout Adjustment) {
    record.date = LocalDate(daysSince1970: 20_455)
    record.seconds = 1
    record.reason = "From the old clock"
  }

  package static func set(_ record: inout Adjustment, apart number: Int) {
    record.seconds = Int64(number) + 2
  }
}

extension SampledMemberRecord {
  package static func refer(_ record: inout Self, to id: ResourceID) {}

  /// The record with a value in every field but references.
  package init(filled head: Head<Self>, of userID: UserID) {
    self.init(head: head)
    self.userID = userID
    Self.fill(&self)
  }

  /// The record with a value in the fields alone that every body states.
  package init(bare head: Head<Self>, of userID: UserID) {
    self.init(head: head)
    self.userID = userID
    Self.fillLeast(&self)
  }
}

// Of a type that is not known.
extension SampledMemberRecord {
  /// Keeps one of a member with a value in every field, beside those of `SampledRecord.keepOne`.
  package static func keepOne(
    of userID: UserID, in organization: OrganizationKey, _ id: OrganizationID, context: ChangeContext,
    _ storage: any Storage
  ) async throws {
    let number = UInt64(bitPattern: organization.value)
    let head = Head<Self>(id: Identifier(high: number, low: 1), organizationID: id, at: context.time)
    var record = Self(filled: head, of: userID)
    refer(&record, to: ResourceID(high: number, low: 1))
    _ = try await storage.createRecord(
      record, in: organization, zones: TimeZoneDatabase(), context: context,
      recording: nil)
  }
}

/// The kinds of records about members, each after those that its rule asks for.
package let sampledMemberRecords: [any SampledMemberRecord.Type] = tabledRecords.compactMap {
  $0 as? any SampledMemberRecord.Type
}
