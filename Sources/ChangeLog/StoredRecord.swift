import FoundationEssentials
import TimeclockDomain

extension SnapshotObject {
  /// Writes a record by its shape. The owner stands there as everything that is a member's has it, by which changes about a
  /// person are found.
  mutating func add<Record: ShapedRecord>(_ record: Record) {
    add("id", record.id)
    add("organizationID", record.organizationID)
    if let place = Record.shape.owner, let owner = record[keyPath: place] { add("userId", owner) }
    for field in Record.shape.fields {
      switch field.kind {
      case .text(let place, _): add(field.name, record[keyPath: place])
      case .optionalText(let place, _): add(field.name, record[keyPath: place])
      case .flag(let place): add(field.name, record[keyPath: place])
      case .optionalNumber(let place, _): add(field.name, record[keyPath: place])
      }
    }
    add("version", record.version)
    add("createdAt", record.createdAt.millisecondsSince1970)
    add("updatedAt", record.updatedAt.millisecondsSince1970)
  }
}

extension ShapedRecord {
  /// Reads the snapshot of such a record.
  ///
  /// - Throws: `DecodingError` for anything else.
  static func snapshot(stored data: Data) throws -> Snapshot {
    try JSONDecoder().decode(StoredRecord<Self>.self, from: data).value.snapshot
  }
}

/// A record that is read by its shape.
struct StoredRecord<Record: ShapedRecord>: Decodable {
  let value: Record

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: MemberName.self)
    func time(_ name: StaticString) throws -> Instant {
      Instant(millisecondsSince1970: try members.decode(Int64.self, forKey: MemberName(name)))
    }
    var record = Record(
      head: Head(
        id: try members.decode(Stored<Identifier<Record>>.self, forKey: MemberName("id")).value,
        organizationID: try members.decode(
          Stored<OrganizationID>.self, forKey: MemberName("organizationID")
        ).value,
        version: try members.decode(Int64.self, forKey: MemberName("version")),
        createdAt: try time("createdAt"), updatedAt: try time("updatedAt")))
    if let place = Record.shape.owner {
      record[keyPath: place] =
        try members.decodeIfPresent(Stored<UserID>.self, forKey: MemberName("userId"))?.value
    }
    for field in Record.shape.fields {
      let name = MemberName(field.name)
      switch field.kind {
      case .text(let place, _): record[keyPath: place] = try members.decode(String.self, forKey: name)
      case .optionalText(let place, _):
        record[keyPath: place] = try members.decodeIfPresent(String.self, forKey: name)
      case .flag(let place): record[keyPath: place] = try members.decode(Bool.self, forKey: name)
      case .optionalNumber(let place, _):
        record[keyPath: place] = try members.decodeIfPresent(Int64.self, forKey: name)
      }
    }
    value = record
  }
}

/// The name of a member of a snapshot.
private struct MemberName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: StaticString) { stringValue = "\(name)" }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
