import FoundationEssentials
import TimeclockDomain

extension SnapshotObject {
  /// Writes a record by its shape. The owner stands there as everything that is a member's has it, by which changes about a
  /// person are found.
  mutating func add<Record: ShapedRecord>(_ record: Record) {
    add("id", record.id)
    add("organizationID", record.organizationID)
    if let place = Record.shape.owner?.path, let owner = record[keyPath: place] { add("userId", owner) }
    for field in Record.shape.fields {
      switch field.kind {
      case .text(let place), .choice(let place, _): add(field.name, place[record])
      case .number(let place), .decimal(let place): add(field.name, place[record])
      case .numbers(let place): add(field.name, place[record] ?? [])
      case .breakRules(let place): add(field.name, (place[record] ?? []).stored)
      case .flag(let place): if let flag = place[record] { add(field.name, flag) }
      case .date(let place): add(field.name, place[record].map { Int64($0.daysSince1970) })
      case .instant(let place): add(field.name, place[record]?.millisecondsSince1970)
      case .user(let place): if let id = place[record] { add(field.name, id) }
      case .resource(let place): if let id = place[record] { add(field.name, id) }
      case .reference(let place, _): if let id = place[record] { add(field.name, id) }
      case .people(let place, _): add(field.name, place[record] ?? [])
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
    if let place = Record.shape.owner?.path {
      record[keyPath: place] =
        try members.decodeIfPresent(Stored<UserID>.self, forKey: MemberName("userId"))?.value
    }
    for field in Record.shape.fields { try members.read(field, of: &record) }
    value = record
  }
}

extension KeyedDecodingContainer<MemberName> {
  fileprivate func read<Record>(_ field: ShapeField<Record>, of record: inout Record) throws {
    let name = MemberName(field.name)
    func read<Value, Stored: Decodable>(
      _ place: ShapeField<Record>.Place<Value>, _ value: (Stored) throws -> Value
    ) throws {
      let stored: Stored? =
        place.isOptional
        ? try decodeIfPresent(Stored.self, forKey: name) : try decode(Stored.self, forKey: name)
      place.put(try stored.map(value), into: &record)
    }
    switch field.kind {
    case .text(let place): try read(place) { $0 }
    case .number(let place), .decimal(let place): try read(place) { $0 }
    case .numbers(let place): try read(place) { $0 }
    case .breakRules(let place): try read(place) { [BreakRule](stored: $0) }
    case .flag(let place): try read(place) { $0 }
    case .date(let place): try read(place) { LocalDate(daysSince1970: $0) }
    case .instant(let place): try read(place) { Instant(millisecondsSince1970: $0) }
    case .user(let place): try read(place) { (stored: Stored<UserID>) in stored.value }
    case .choice(let place, let words):
      try read(place) { word in
        guard words.contains(word) else {
          throw DecodingError.dataCorruptedError(
            forKey: name, in: self, debugDescription: "none of \(words)")
        }
        return word
      }
    case .reference(let place, _), .resource(let place):
      try read(place) { (stored: Stored<ResourceID>) in stored.value }
    case .people(let place, _): try read(place) { (stored: [Stored<UserID>]) in stored.map(\.value) }
    }
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
