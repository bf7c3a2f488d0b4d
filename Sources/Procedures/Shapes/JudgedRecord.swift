import TimeclockDomain

/// A record about one member, with a rule about the member's records of the kind together.
package protocol JudgedRecord: TabledRecord {
  /// The most that one member has.
  static var limit: RecordLimit { get }

  /// Counts those of the owner `$2` to which the limit applies.
  static var limited: RecordStatement { get }

  /// The member; none only before the record is filled.
  var userID: UserID? { get set }

  /// Judges a change, while nobody else changes the member's records.
  ///
  /// - Returns: The rows to which the record refers as it is to be, by the names of their columns.
  /// - Throws: The refusal.
  static func judge<Transaction: RecordTransaction>(
    _ change: MemberRecordChange<Self>, _ transaction: Transaction
  ) async throws -> [String: Int64?]
}

extension JudgedRecord {
  /// All of them.
  package static var limited: RecordStatement { table.ofOwner.count }
}

/// A change of a member's record that is to be made.
package struct MemberRecordChange<Record: JudgedRecord>: Sendable {
  /// The record as it is; nil for a new one.
  let before: NumberedRecord<Record>?
  /// The record as it is to be; nil if it is to be deleted.
  let after: Record?
  let user: UserKey
  let organization: OrganizationKey
  /// The zones that the system has.
  let zones: TimeZoneDatabase
}

extension MemberRecordChange {
  /// The member's other records of the kind, in the order in which they were made.
  func others<Transaction: RecordTransaction>(
    _ transaction: Transaction
  ) async throws -> [NumberedRecord<Record>] {
    try await transaction.read(
      Record.table.ofOwner.all, [.key(organization), .key(user)], NumberedRecord<Record>.init
    ).filter { $0.number != before?.number }
  }
}
