import Procedures
import TimeclockDomain

extension StoragePart {
  /// A reminder of the entry that is active.
  static let reminders = StoragePart(StorageCalls.reminders) { organization, storage in
    _ = try await StorageCalls.remind(organization, in: storage)
  }
}

extension StorageCalls {
  fileprivate static let reminders: [StorageMethod] = [
    StorageMethod(
      "organizationsWithDueReminders(at:)", .reads, .service,
      [
        StorageCall(after: clockAdminIn) { _, storage in
          try await !storage.organizationsWithDueReminders(at: hour(9)).isEmpty
        }
      ]),
    StorageMethod(
      "createReminders(in:limit:context:newID:)", .writes, .organization,
      [StorageCall(after: clockAdminIn) { try await remind($0, in: $1) }]),
    StorageMethod(
      "reminders(of:of:before:limit:)", .reads, .organization,
      ofMembers { members, organization, storage in
        try await storage.reminders(of: organization.key, of: members, before: nil, limit: 9)
      }),
  ]

  fileprivate static func remind(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws -> [Reminder] {
    try await storage.createReminders(
      in: organization.key, limit: 5,
      context: ChangeContext(author: .service, operation: "call", time: hour(9))
    ) { PreparedOrganization.next() }
  }

  @Sendable private static func clockAdminIn(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws {
    _ = try await storage.createTimeEntry(
      organization.new(organization.entry(of: organization.admin, hours: 0, isActive: true)))
  }
}
