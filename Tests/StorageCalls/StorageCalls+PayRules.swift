import Procedures
import TimeclockDomain

extension StoragePart {
  /// Behind the dates on which time is approved.
  static let payRules = StoragePart(StorageCalls.payRules) { organization, storage in
    _ = try await storage.createPayRules(
      organization.payRules("2027-01-04", id: organization.names.id(of: .payRules)), in: organization.key,
      context: .call, recording: nil)
  }
}

extension PreparedOrganization {
  /// Rules from a date on, with a value in every field.
  fileprivate func payRules(_ from: String, id: PayRulesID = next()) -> DatedPayRules {
    DatedPayRules(head: head(id)) {
      $0.from = LocalDate(iso8601: from) ?? .latest
      $0.breakRules = [BreakRule(afterSeconds: 21_600, breakSeconds: 1_800)]
      $0.breakMinimumSeconds = 600
      ($0.dailyOvertimeSeconds, $0.weeklyOvertimeSeconds) = (28_800, 144_000)
    }
  }

  fileprivate func change(of version: Int64? = nil) -> ResourceUpdate<DatedPayRules> {
    ResourceUpdate(
      id: names.id(of: .payRules), organization: key, expectedVersion: version, context: .call)
  }
}

extension StorageCalls {
  fileprivate static let payRules: [StorageMethod] = [
    StorageMethod(
      "createPayRules(_:in:context:recording:)", .writes, .organization,
      onceAndRecorded("behind the others") { organization, storage, recording in
        try await storage.createPayRules(
          organization.payRules("2027-01-11"), in: organization.key, context: .call, recording: recording)
      }
        + [("from the date of others", "2027-01-04"), ("from a date that is approved", "2026-10-05")].map {
          name, date in
          StorageCall(name) { organization, storage in
            try await storage.createPayRules(
              organization.payRules(date), in: organization.key, context: .call, recording: nil)
          }
        }),
    StorageMethod(
      "payRules(_:in:)", .reads, .organization,
      [StorageCall { try await $1.payRules($0.names.id(of: .payRules), in: $0.key) }]),
    StorageMethod(
      "payRules(of:after:limit:)", .reads, .organization,
      [StorageCall { try await $1.payRules(of: $0.key, after: nil, limit: 9).elements }]),
    StorageMethod(
      "payRules(of:after:)", .reads, .organization,
      [
        StorageCall { organization, storage in
          try await storage.payRules(of: organization.key, after: .standard)
        }
      ]),
    StorageMethod(
      "updatePayRules(_:_:)", .writes, .organization,
      [
        StorageCall("to other rules") {
          try await $1.updatePayRules($0.change()) { $0.dailyOvertimeSeconds = 0 }
        },
        StorageCall("of another version") {
          try await $1.updatePayRules($0.change(of: 9)) { $0.dailyOvertimeSeconds = 0 }
        },
      ]),
    StorageMethod(
      "deletePayRules(_:)", .writes, .organization,
      [StorageCall { try await $1.deletePayRules($0.change()) }]),
  ]
}
