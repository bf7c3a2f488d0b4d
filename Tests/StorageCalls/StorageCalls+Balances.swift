import Procedures
import TimeclockDomain

extension StoragePart {
  static let balances = StoragePart(StorageCalls.balances)
}

extension StorageCalls {
  fileprivate static let balances: [StorageMethod] = [
    StorageMethod(
      "scheduleRows(of:in:)", .reads, .organization,
      ofEverybodyAndOne { user, organization, storage in
        try await storage.scheduleRows(of: user, in: organization.key).map(\.row.from)
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
