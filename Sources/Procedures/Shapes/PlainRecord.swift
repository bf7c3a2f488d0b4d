import TimeclockDomain

/// A record with no behavior but that of its shape: the organization's admins make, change and delete it, and all members
/// read it.
package protocol PlainRecord: TabledRecord {
  static var limit: RecordLimit { get }
  /// Whether it can be deleted; else a flag takes it out of use.
  static var isDeletable: Bool { get }

  /// Deletes what goes with a record that is to be deleted, or refuses that, in the same transaction.
  static func prepareDeletion<Transaction: RecordTransaction>(
    of found: NumberedRecord<Self>, in organization: OrganizationKey, _ context: ChangeContext,
    _ transaction: Transaction
  ) async throws
}

extension PlainRecord {
  package static var isDeletable: Bool { shape.listFlag == nil }

  package static func prepareDeletion<Transaction: RecordTransaction>(
    of found: NumberedRecord<Self>, in organization: OrganizationKey, _ context: ChangeContext,
    _ transaction: Transaction
  ) async throws {}
}
