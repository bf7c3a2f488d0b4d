import TimeclockDomain

extension Entitlement: MemberRecord {
  package static let table = ShapedTable(shape)

  /// Refuses a second entitlement of a kind in a year.
  package static func judge<Transaction: RecordTransaction>(
    _ change: MemberRecordChange<Entitlement>, _ transaction: Transaction
  ) async throws -> [String: Int64?] {
    guard let after = change.after else { return [:] }
    let isThere = try await change.others(transaction).contains {
      $0.record.kind == after.kind && $0.record.year == after.year
    }
    guard !isThere else { throw TimeclockError.entitlementExists }
    return [:]
  }
}
