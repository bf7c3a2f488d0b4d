import Procedures
import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// Records about members, of all kinds.
  static let memberRecords = Fixture(
    scenarios: Scenario.memberRecords,
    baselines: Dictionary(uniqueKeysWithValues: MemberKind.all.flatMap(\.baselines)),
    foreignIDs: { world, away in
      var ids: [String: String] = [:]
      for kind in MemberKind.all {
        try await world.make(kind, of: away.member, in: away)
        let made = try await world.make(kind, of: away.manager, in: away)
        ids[kind.parameter] = try World.text(made.json["id"])
      }
      return ids
    })
}

/// A kind of records about members, with its operations by their names in the contract.
struct MemberKind: Sendable {
  let noun: String
  /// The word for the kind in the log.
  let word: String
  /// The member of answers with the list.
  let listName: String
  let list: String
  let create: String
  let createMany: String
  let get: String
  /// Nil for records that never change.
  let update: String?
  let delete: String

  /// The name of an id in paths.
  var parameter: String { word + "Id" }

  init<Record: MemberRecord>(_ type: Record.Type) {
    let shape = Record.shape
    (noun, word, listName) = (shape.kind.noun, shape.kind.rawValue, "\(shape.list)")
    (list, create, createMany) = (
      Record.operation(.list), Record.operation(.create), Record.operation(.createMany)
    )
    (get, delete) = (Record.operation(.get), Record.operation(.delete))
    update = Record.isChangeable ? Record.operation(.update) : nil
  }

  var operations: [String] { [list, create, createMany, get, delete] + (update.map { [$0] } ?? []) }

  /// The member with a record that is kept in a schema such as `WorkScheduleBulkResult`; nil for other schemas.
  static func memberOfResult(_ schema: String) -> String? {
    all.first { $0.get.dropFirst(3) + "BulkResult" == schema }?.word
  }

  static let all: [MemberKind] = tabledRecords.compactMap { type in
    (type as? any MemberRecord.Type).map { MemberKind($0) }
  }
}

extension MemberKind {
  fileprivate var baselines: [(String, Fixture.Baseline)] {
    let making: Fixture.Baseline = { try await $0.prepareToMake(self, &$1) }
    let having: Fixture.Baseline = { try await $0.prepare(self, &$1) }
    return [create, createMany].map { ($0, making) }
      + [get, update, delete].compactMap { operation in operation.map { ($0, having) } }
  }
}

extension Scenario {
  fileprivate static let memberRecords: [Scenario] = MemberKind.all.flatMap { kind in
    [comesBack(kind), lists(kind), many(kind), log(kind), deletion(kind)] + changes(kind)
  }

  private static func comesBack(_ kind: MemberKind) -> Scenario {
    Scenario("a \(kind.noun) is where Location says, for its member and for managers, as the body stated it")
    {
      world in
      let member = world.home.member
      let made = try await world.make(kind, of: member)
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/\(kind.listName)/\(id)",
        "Location is \(made.location ?? "none")")
      world.check(made.json["userId"]?.string == member.userID, made.json.text)
      for stated in try world.example(kind.create).members where made.json[stated.name] != nil {
        guard stated.name != "userId" else { continue }
        world.check(made.json[stated.name] == stated.value, "\(stated.name): \(made.json.text)")
      }
      for person in [member, world.home.manager, world.home.admin] {
        let read = try await world.client.expect(
          world.call(kind.get, as: person, path: [kind.parameter: id]), 200)
        world.check(read.json == made.json && read.etag == made.etag, "\(kind.get) answers something else")
      }
      let other = try await world.makePerson("other@acme.example")
      let read = world.call(kind.get, as: other, path: [kind.parameter: id])
      try await world.client.expect(read, 404, comment: "another member")
    }
  }

  private static func lists(_ kind: MemberKind) -> Scenario {
    Scenario("a member lists their own \(kind.noun)s, a manager everybody's or one member's") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let first = try await world.make(kind, of: member)
      let second = try await world.make(kind, of: manager)
      let all = try await world.pages(kind.list, kind.listName, as: manager, limit: 1)
      world.check(all == [first.json, second.json], "another order")
      let own = try await world.pages(kind.list, kind.listName, as: member, limit: 1)
      world.check(own == [first.json], "another member's")
      let list = world.call(kind.list, as: manager, query: [(name: "userId", value: manager.userID)])
      let one = try await world.client.expect(list, 200)
      world.check(one.json[kind.listName]?.elements == [second.json], one.json.text)
      try await world.client.expect(list.with { $0.token = member.token }, 403, code: "forbidden")
    }
  }

  private static func many(_ kind: MemberKind) -> Scenario {
    Scenario("many \(kind.noun)s are made in one step, all of them or as many as can be") { world in
      var call = world.call(kind.createMany, as: world.home.admin, body: try world.example(kind.createMany))
      try await world.prepareToMake(kind, &call)
      let row = call.json["rows"]?.elements.first ?? .null
      let rows = [
        row, row.setting("userId", to: .string(World.absentID)),
        row.setting("userId", to: .string(world.home.manager.userID)),
      ]
      try await world.prepare(kind, for: world.home.manager)
      let before = try await world.pages(kind.list, kind.listName, as: world.home.admin, limit: 100)
      let all = call.with { $0.json = ["mode": "atomic", "rows": .array(rows)] }
      let refused = try await world.client.expect(all, 422, code: "bulk_refused")
      world.check(refused.json["results"]?.elements.map { $0["index"] } == [1], refused.json.text)
      let none = try await world.pages(kind.list, kind.listName, as: world.home.admin, limit: 100)
      world.check(none == before, "something is kept")
      let some = try await world.client.expect(
        all.with { $0.json = all.json.setting("mode", to: "partial") }, 200)
      world.check(some.json["created"] == 2 && some.json["refused"] == 1, some.json.text)
      let results = some.json["results"]?.elements ?? []
      world.check(results.map { $0["status"] } == [201, 404, 201], some.json.text)
      let kept = try await world.pages(kind.list, kind.listName, as: world.home.admin, limit: 100)
      world.check(kept == before + results.compactMap { $0[kind.word] }, "others are kept")
    }
  }

  private static func changes(_ kind: MemberKind) -> [Scenario] {
    guard let update = kind.update else { return [] }
    return [
      Scenario("a change of a \(kind.noun) leaves what it does not state, and needs the ETag") { world in
        let made = try await world.make(kind, of: world.home.member)
        let call = world.call(
          update, as: world.home.admin, path: [kind.parameter: try World.text(made.json["id"])], body: [:],
          ifMatch: made.etag)
        let same = try await world.client.expect(call, 200)
        world.check(same.json == made.json && same.etag == made.etag, "nothing stated changes something")
        let example = try world.example(update)
        let change = call.with { $0.json = example }
        let changed = try await world.client.expect(change, 200)
        // Seconds of a week become those of its days.
        let isOfWeek = example["weeklySeconds"] != nil
        func rest(_ json: JSONValue) -> JSONValue {
          let rest = json.removing("updatedAt")
          return isOfWeek ? rest.removing("secondsByWeekday") : rest
        }
        let expected = example.members.filter { made.json[$0.name] != nil }
          .reduce(made.json) { $0.setting($1.name, to: $1.value) }
        world.check(
          rest(changed.json) == rest(expected.setting("version", to: 2)) && changed.json != made.json
            && changed.etag != made.etag, changed.json.text)
        try await world.client.expect(change.with { $0.ifMatch = nil }, 428, code: "precondition_required")
        let stale = try await world.client.expect(change, 412, code: "precondition_failed")
        world.check(stale.json["current"] == changed.json, "another present state")
        let other = change.with { $0.json = ["userId": .string(world.home.manager.userID)] }
        try await world.client.expect(other, 400, code: "invalid_body", comment: "another member")
      }
    ]
  }

  private static func log(_ kind: MemberKind) -> Scenario {
    Scenario("the log of changes has \(kind.noun)s, for their members and managers") { world in
      let made = try await world.make(kind, of: world.home.member)
      let audit = try await world.client.expect(
        world.call(
          "listAuditLog", as: world.home.admin,
          query: [
            (name: "resource", value: kind.word),
            (name: "resourceId", value: try World.text(made.json["id"])),
          ]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["operation"]?.string } == [kind.create] && changes.first?["after"] == made.json,
        audit.json.text)
      let other = try await world.makePerson("other@acme.example")
      for (person, isReader) in [(world.home.member, true), (world.home.manager, true), (other, false)] {
        let feed = try await world.client.expect(world.call("listChanges", as: person), 200)
        let found = feed.json["changes"]?.elements.contains { $0["data"] == made.json } == true
        world.check(found == isReader, "\(person.userID) reads \(feed.json.text)")
      }
    }
  }

  private static func deletion(_ kind: MemberKind) -> Scenario {
    Scenario("a \(kind.noun) is deleted in the version that is meant, and is gone") { world in
      let made = try await world.make(kind, of: world.home.member)
      let path = [kind.parameter: try World.text(made.json["id"])]
      let call = world.call(kind.delete, as: world.home.admin, path: path, ifMatch: made.etag)
      try await world.client.expect(call.with { $0.ifMatch = nil }, 428, code: "precondition_required")
      try await world.client.expect(call, 204)
      try await world.client.expect(world.call(kind.get, as: world.home.member, path: path), 404)
      try await world.client.expect(call, 404)
    }
  }
}

extension World {
  /// Makes one as the example of the contract has it.
  @discardableResult
  fileprivate func make(
    _ kind: MemberKind, of person: Person, in tenant: Tenant? = nil
  ) async throws -> ContractClient.Reply {
    let tenant = tenant ?? home
    try await prepare(kind, for: person, in: tenant)
    let body = try example(kind.create).setting("userId", to: .string(person.userID))
    return try await client.expect(call(kind.create, as: tenant.admin, in: tenant, body: body), 201)
  }

  /// Makes what a record of the kind depends on: an adjustment on a schedule.
  fileprivate func prepare(_ kind: MemberKind, for person: Person, in tenant: Tenant? = nil) async throws {
    guard kind.word == Adjustment.shape.kind.rawValue else { return }
    let tenant = tenant ?? home
    let plan: [JSONValue] = [28_800, 28_800, 28_800, 28_800, 28_800, 0, 0]
    let body: JSONValue = [
      "userId": .string(person.userID), "from": "2026-09-01", "secondsByWeekday": .array(plan),
    ]
    let call = call("createWorkSchedule", as: tenant.admin, in: tenant, body: body)
    let made = try await client.send(call)
    check([201, 409].contains(made.status), "no schedule: \(made.json.text)")
  }

  /// Names a member in the body that makes records.
  fileprivate func prepareToMake(_ kind: MemberKind, _ call: inout Call) async throws {
    try await prepare(kind, for: home.member)
    let userID = JSONValue.string(home.member.userID)
    if let rows = call.json["rows"]?.elements {
      call.json = call.json.setting("rows", to: .array(rows.map { $0.setting("userId", to: userID) }))
    } else {
      call.json = call.json.setting("userId", to: userID)
    }
  }

  /// Makes the record that a call is about.
  fileprivate func prepare(_ kind: MemberKind, _ call: inout Call) async throws {
    let made = try await make(kind, of: home.member)
    call.path[kind.parameter] = try World.text(made.json["id"])
    if call.operationID != kind.get { call.ifMatch = made.etag }
  }
}
