import TimeclockDomain

extension Adjustment: MemberRecord {
  package static let table = ShapedTable(shape)

  package static var isChangeable: Bool { false }

  /// Refuses caps, which only moves of the mark `locked` make and delete, and a date on which the member has no schedule.
  package static func judge<Transaction: RecordTransaction>(
    _ change: MemberRecordChange<Adjustment>, _ transaction: Transaction
  ) async throws -> [String: Int64?] {
    guard change.before?.record.kind != .cap, change.after?.kind != .cap else {
      throw TimeclockError.capNotByHand
    }
    guard let after = change.after else { return [:] }
    let values: [RecordValue] = [.key(change.organization), .key(change.user), .date(after.date)]
    guard try await transaction.exists(WorkSchedule.inForce, values) else { throw TimeclockError.noSchedule }
    return [:]
  }
}

extension WorkSchedule {
  /// A schedule of the member `$2` from the date `$3` or before.
  fileprivate static let inForce = RecordStatement(
    "FROM work_schedules WHERE organization_id = $1 AND user_id = $2 AND from_date <= $3 LIMIT 1",
    columns: RecordColumns("work_schedule_id"))
}
