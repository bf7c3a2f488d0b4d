import Procedures
import TimeclockDomain

extension StoragePart {
  /// The records about members of all kinds.
  static let memberRecords = StoragePart(StorageCalls.memberRecords) { organization, storage in
    for type in sampledMemberRecords { try await type.prepare(organization, storage) }
  }
}

extension SampledMemberRecord {
  fileprivate static func prepare(
    _ organization: PreparedOrganization, _ storage: any Storage
  ) async throws {
    _ = try await storage.createRecord(
      Self(filled: organization.head(organization.id(of: self)), of: organization.member.id),
      in: organization.key, zones: zones, context: .call, recording: nil)
  }

  private static var zones: TimeZoneDatabase { TimeZoneDatabase() }

  /// One that the prepared one leaves room for.
  private static func new(_ organization: PreparedOrganization, apart number: Int = 0) -> Self {
    var new = Self(bare: organization.head(), of: organization.member.id)
    set(&new, apart: number)
    return new
  }

  fileprivate static var creations: [StorageCall] {
    StorageCalls.onceAndRecorded("of \(self)") { organization, storage, recording in
      try await storage.createRecord(
        new(organization), in: organization.key, zones: zones, context: .call, recording: recording)
    } + [
      StorageCall("of \(self), of nobody") { organization, storage in
        var new = new(organization)
        new.userID = PreparedOrganization.next()
        return try await storage.createRecord(
          new, in: organization.key, zones: zones, context: .call, recording: nil)
      }
    ]
  }

  fileprivate static var creationsOfMany: [StorageCall] {
    StorageCalls.onceAndRecorded("of \(self)") { organization, storage, recording in
      try await storage.createRecords(
        [
          .success(new(organization)), .failure(.invalidName), .success(new(organization, apart: 1)),
        ], mode: .partial, in: organization.key, zones: zones, context: .call, recording: recording)
    } + [
      StorageCall("of \(self), all or none") { organization, storage in
        try await storage.createRecords(
          [.success(new(organization)), .failure(.invalidName)], mode: .atomic, in: organization.key,
          zones: zones, context: .call, recording: nil)
      }
    ]
  }

  fileprivate static var lists: [StorageCall] {
    StorageCalls.ofMembers("of \(self), ") { members, organization, storage in
      try await storage.records(self, of: members, in: organization.key, after: nil, limit: 9)
    }
  }

  fileprivate static var updates: [StorageCall] {
    [(nil, ""), (9, ", of another version")].map { version, name in
      StorageCall("of \(self)\(name)") { organization, storage in
        try await storage.updateRecord(update(in: organization, version), zones: zones) {
          (record: inout Self) in
          record = Self(bare: record.head, of: record.userID ?? PreparedOrganization.next())
        }
      }
    }
  }

  fileprivate static var deletions: [StorageCall] {
    [(nil, ""), (9, ", of another version")].map { version, name in
      StorageCall("of \(self)\(name)") { organization, storage in
        try await storage.deleteRecord(update(in: organization, version), zones: zones)
      }
    }
  }
}

extension StorageCalls {
  fileprivate static let memberRecords: [StorageMethod] = [
    StorageMethod(
      "createRecord(_:in:zones:context:recording:)", .writes, .organization,
      sampledMemberRecords.flatMap { $0.creations } + newAbsences + newCorrections),
    StorageMethod(
      "createRecords(_:mode:in:zones:context:recording:)", .writes, .organization,
      sampledMemberRecords.flatMap { $0.creationsOfMany } + manyNewAbsences),
    StorageMethod(
      "records(_:of:in:after:limit:)", .reads, .organization, sampledMemberRecords.flatMap { $0.lists }),
    StorageMethod(
      "updateRecord(_:zones:_:)", .writes, .organization,
      sampledMemberRecords.filter { $0.isChangeable }.flatMap { $0.updates } + changedAbsences
        + changedCorrections),
    StorageMethod(
      "deleteRecord(_:zones:)", .writes, .organization, sampledMemberRecords.flatMap { $0.deletions }),
  ]
}
