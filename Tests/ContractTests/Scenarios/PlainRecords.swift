import Procedures
import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// Records without behavior of their own, of all kinds.
  static let plainRecords = Fixture(
    scenarios: Scenario.plainRecords,
    baselines: Dictionary(
      uniqueKeysWithValues: PlainKind.all.flatMap { kind in
        [kind.get, kind.update, kind.delete].compactMap { operation in
          operation.map { id in (id, { try await $0.prepare(kind, &$1) }) }
        }
      }),
    foreignIDs: { world, away in
      var ids: [String: String] = [:]
      for kind in PlainKind.all {
        try await world.make(kind, in: away)
        ids[kind.parameter] = try World.text(try await world.make(kind, in: away).json["id"])
      }
      return ids
    })
}

/// A kind of plain records, with its operations by their names in the contract.
struct PlainKind: Sendable {
  let noun: String
  /// The word for the kind in the log.
  let word: String
  /// The member of answers with the list.
  let listName: String
  let listFlag: String?
  let limit: Int
  let refusalOfMore: String
  let list: String
  let create: String
  let get: String
  let update: String
  /// Nil for records that are never deleted.
  let delete: String?

  var operations: [String] { [list, create, get, update] + (delete.map { [$0] } ?? []) }

  /// The name of an id in paths.
  var parameter: String { word + "Id" }

  init<Record: PlainRecord>(_ type: Record.Type) {
    let shape = Record.shape
    (noun, word, listName) = (shape.kind.noun, shape.kind.rawValue, "\(shape.list)")
    listFlag = shape.listFlag.map { "\($0)" }
    (limit, refusalOfMore) = (Int(Record.limit.count), Record.limit.refusal.code)
    (list, create) = (Record.operation(.list), Record.operation(.create))
    (get, update) = (Record.operation(.get), Record.operation(.update))
    delete = Record.isDeletable ? Record.operation(.delete) : nil
  }

  static let all: [PlainKind] = tabledRecords.compactMap { type in
    (type as? any PlainRecord.Type).map { PlainKind($0) }
  }
}

extension Scenario {
  fileprivate static let plainRecords: [Scenario] = PlainKind.all.flatMap { kind in
    [comesBack(kind), changes(kind), lists(kind), limit(kind), log(kind)] + deletion(kind)
  }

  private static func comesBack(_ kind: PlainKind) -> Scenario {
    Scenario("a \(kind.noun) is where Location says, for every member, with what the body has stated") {
      world in
      let made = try await world.make(kind)
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/\(kind.listName)/\(id)",
        "Location is \(made.location ?? "none")")
      for stated in try world.example(kind.create).members {
        world.check(made.json[stated.name] == stated.value, "\(stated.name): \(made.json.text)")
      }
      world.check(made.json["organizationID"]?.string == world.home.organizationID, made.json.text)
      for person in [world.home.member, world.home.manager, world.home.admin] {
        let read = try await world.client.expect(
          world.call(kind.get, as: person, path: [kind.parameter: id]), 200)
        world.check(read.json == made.json && read.etag == made.etag, "\(kind.get) answers something else")
      }
    }
  }

  private static func changes(_ kind: PlainKind) -> Scenario {
    Scenario("a change of a \(kind.noun) leaves what it does not state, and needs the ETag") { world in
      let made = try await world.make(kind)
      let example = try world.example(kind.update)
      for same in [[:], try world.example(kind.create)] as [JSONValue] {
        let reply = try await world.client.expect(world.update(kind, made, same), 200)
        world.check(reply.json == made.json && reply.etag == made.etag, "\(same.text) changes something")
      }
      world.service.clock.advance(seconds: 60)
      let changed = try await world.client.expect(world.update(kind, made, example), 200)
      let expected = example.members.reduce(made.json) { $0.setting($1.name, to: $1.value) }
      world.check(
        changed.json.removing("updatedAt") == expected.setting("version", to: 2).removing("updatedAt")
          && changed.etag != made.etag, changed.json.text)
      let late = world.update(kind, made, try world.example(kind.create))
      try await world.client.expect(late.with { $0.ifMatch = nil }, 428, code: "precondition_required")
      let stale = try await world.client.expect(late, 412, code: "precondition_failed")
      world.check(
        stale.json["current"] == changed.json && stale.etag == changed.etag, "another present state")
    }
  }

  private static func lists(_ kind: PlainKind) -> Scenario {
    Scenario("the list of \(kind.noun)s has them in order, in pages, and apart by its flag") { world in
      let first = try await world.make(kind)
      let second = try await world.make(kind)
      let pages = try await world.pages(kind.list, kind.listName, as: world.home.member, limit: 1)
      world.check(pages == [first.json, second.json], "another order")
      guard let flag = kind.listFlag else { return }
      let flagged = try await world.client.expect(
        world.update(kind, first, stating(flag, true)), 200)
      for (value, expected) in [("true", flagged), ("false", second)] {
        let list = try await world.client.expect(
          world.call(kind.list, as: world.home.member, query: [(name: flag, value: value)]), 200)
        world.check(list.json[kind.listName]?.elements == [expected.json], list.json.text)
      }
      let back = try await world.client.expect(
        world.update(kind, flagged, stating(flag, false)), 200)
      world.check(back.json[flag] == false, back.json.text)
    }
  }

  private static func limit(_ kind: PlainKind) -> Scenario {
    Scenario("an organization has at most \(kind.limit) \(kind.noun)s, those out of use included") { world in
      for _ in 0..<kind.limit {
        let made = try await world.make(kind)
        if let flag = kind.listFlag {
          try await world.client.expect(
            world.update(kind, made, stating(flag, true)), 200)
        }
      }
      let more = world.call(kind.create, as: world.home.admin, body: try world.example(kind.create))
      try await world.refuses(more, 409, [kind.refusalOfMore], "one more")
      try await world.make(kind, in: try await world.makeTenant("away"))
    }
  }

  private static func log(_ kind: PlainKind) -> Scenario {
    Scenario("the log of changes has \(kind.noun)s") { world in
      let made = try await world.make(kind)
      let changed = try await world.client.expect(
        world.update(kind, made, try world.example(kind.update)), 200)
      let id = try World.text(made.json["id"])
      let audit = try await world.client.expect(
        world.call(
          "listAuditLog", as: world.home.admin,
          query: [(name: "resource", value: kind.word), (name: "resourceId", value: id)]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(changes.map { $0["operation"]?.string } == [kind.update, kind.create], audit.json.text)
      guard changes.count == 2 else { return }
      world.check(changes[1]["before"] == .null && changes[1]["after"] == made.json, changes[1].text)
      world.check(changes[0]["before"] == made.json && changes[0]["after"] == changed.json, changes[0].text)
    }
  }

  /// A body that states the flag.
  private static func stating(_ flag: String, _ isFlagged: Bool) -> JSONValue {
    .object([JSONValue.Member(flag, .bool(isFlagged))])
  }

  private static func deletion(_ kind: PlainKind) -> [Scenario] {
    guard let delete = kind.delete else { return [] }
    return [
      Scenario("a \(kind.noun) is deleted in the version that is meant, and is gone") { world in
        let made = try await world.make(kind)
        let path = [kind.parameter: try World.text(made.json["id"])]
        let call = world.call(delete, as: world.home.admin, path: path, ifMatch: made.etag)
        try await world.client.expect(call.with { $0.ifMatch = nil }, 428, code: "precondition_required")
        try await world.client.expect(call, 204)
        try await world.client.expect(world.call(kind.get, as: world.home.member, path: path), 404)
        try await world.client.expect(call, 404)
      }
    ]
  }
}

extension World {
  /// Makes one as the example of the contract has it.
  @discardableResult
  fileprivate func make(_ kind: PlainKind, in tenant: Tenant? = nil) async throws -> ContractClient.Reply {
    let tenant = tenant ?? home
    return try await client.expect(
      call(kind.create, as: tenant.admin, in: tenant, body: try example(kind.create)), 201)
  }

  /// Makes the record that a call is about.
  fileprivate func prepare(_ kind: PlainKind, _ call: inout Call) async throws {
    let made = try await make(kind)
    call.path[kind.parameter] = try World.text(made.json["id"])
    if call.operationID != kind.get { call.ifMatch = made.etag }
  }

  func example(_ operation: String) throws -> JSONValue {
    try client.document.operation(operation).bodyExample ?? .null
  }

  /// A change of the record as it was answered, by an admin.
  fileprivate func update(_ kind: PlainKind, _ record: ContractClient.Reply, _ body: JSONValue) -> Call {
    call(
      kind.update, as: home.admin, path: [kind.parameter: record.json["id"]?.string ?? ""], body: body,
      ifMatch: record.etag)
  }
}
