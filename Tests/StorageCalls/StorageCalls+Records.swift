import Procedures
import TimeclockDomain

extension StoragePart {
  /// The plain records of all kinds.
  static let records = StoragePart(StorageCalls.records) { organization, storage in
    for type in sampledRecords { try await type.prepare(organization, storage) }
  }
}

extension SampledRecord {
  fileprivate static func prepare(
    _ organization: PreparedOrganization, _ storage: any Storage
  ) async throws {
    _ = try await storage.createRecord(
      new(in: organization, organization.id(of: self)), in: organization.key, context: .call, recording: nil)
  }

  fileprivate static func new(
    in organization: PreparedOrganization, _ id: Identifier<Self> = PreparedOrganization.next()
  ) -> Self { Self(unflagged: organization.head(id)) }

  fileprivate static var creations: [StorageCall] {
    StorageCalls.onceAndRecorded("of \(self)") { organization, storage, recording in
      try await storage.createRecord(
        new(in: organization), in: organization.key, context: .call, recording: recording)
    }
  }

  fileprivate static var reading: StorageCall {
    StorageCall("of \(self)") { organization, storage -> Self? in
      try await storage.record(organization.id(of: self), in: organization.key)
    }
  }

  fileprivate static var lists: [StorageCall] {
    [(nil, "all"), (true, "flagged ones"), (false, "others")].map { isFlagged, name in
      StorageCall("of \(self), \(name)") { organization, storage in
        try await storage.records(
          self, of: organization.key, isFlagged: isFlagged, after: nil, limit: 9)
      }
    }
  }

  fileprivate static var updates: [StorageCall] {
    [(nil, ""), (9, ", of another version")].map { version, name in
      StorageCall("of \(self)\(name)") { organization, storage in
        try await storage.updateRecord(update(in: organization, version)) { (record: inout Self) in
          record = Self(bare: record.head)
        }
      }
    }
  }

  fileprivate static var deletions: [StorageCall] {
    [(nil, ""), (9, ", of another version")].map { version, name in
      StorageCall("of \(self)\(name)") { organization, storage in
        try await storage.deleteRecord(update(in: organization, version))
      }
    }
  }
}

extension ShapedRecord {
  /// A change of the record that is prepared.
  static func update(in organization: PreparedOrganization, _ version: Int64?) -> ResourceUpdate<Self> {
    ResourceUpdate(
      id: organization.id(of: self), organization: organization.key, expectedVersion: version, context: .call)
  }
}

extension PreparedOrganization {
  /// The id of the record that is prepared.
  func id<Record: ShapedRecord>(of type: Record.Type) -> Identifier<Record> {
    names.id(of: Record.shape.kind)
  }
}

extension StorageCalls {
  fileprivate static let records: [StorageMethod] = [
    StorageMethod(
      "createRecord(_:in:context:recording:)", .writes, .organization, sampledRecords.flatMap { $0.creations }
    ),
    StorageMethod("record(_:in:)", .reads, .organization, sampledRecords.map { $0.reading }),
    StorageMethod(
      "records(_:of:isFlagged:after:limit:)", .reads, .organization, sampledRecords.flatMap { $0.lists }),
    StorageMethod("updateRecord(_:_:)", .writes, .organization, sampledRecords.flatMap { $0.updates }),
    StorageMethod("deleteRecord(_:)", .writes, .organization, sampledRecords.flatMap { $0.deletions }),
  ]
}
