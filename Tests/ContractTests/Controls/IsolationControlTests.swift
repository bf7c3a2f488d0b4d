import Testing

@testable import ContractDocument

/// Leaks planted in the storage, each of which the generated isolation scenarios must find.
struct IsolationControlTests {
  /// A missing filter, an operation that it opens, and the place of the request where that shows.
  struct Leak: Sendable, CustomTestStringConvertible {
    var kind: Leaks.Kind
    var operationID: String
    var finding: String

    init(_ kind: Leaks.Kind, _ operationID: String, finds finding: String) {
      self.kind = kind
      self.operationID = operationID
      self.finding = finding
    }

    var testDescription: String { "\(kind) in \(operationID)" }
  }

  static let leaks = [
    Leak(.entries, "getTimeEntry", finds: "getTimeEntry foreign path timeEntryId: answered 200"),
    Leak(.entries, "checkOverlap", finds: "checkOverlap tells foreign from absent by query excludeEntryId"),
    Leak(.entries, "listAuditLog", finds: "listAuditLog tells foreign from absent by query resourceId"),
    Leak(.members, "clockIn", finds: "clockIn foreign body userId: answered 201"),
    Leak(.members, "createTimeEntry", finds: "createTimeEntry changed another organization"),
    Leak(.members, "listTimeEntries", finds: "listTimeEntries foreign query userId: answered 200"),
    Leak(.members, "exportTimeEntries", finds: "exportTimeEntries foreign query userId: answered 200"),
    Leak(.tokens, "getOrganization", finds: "getOrganization foreign token: answered 200"),
    Leak(.tokens, "createMember", finds: "createMember foreign path organizationID: answered 201"),
  ]

  /// The service of the scenarios; their findings do not depend on it.
  private static let kind = ServiceKind(storage: .sqlite, transport: .inProcess)

  @Test("a planted leak is found", arguments: leaks)
  func leaksAreFound(_ leak: Leak) async throws {
    let operation = try OpenAPIDocument.contract.get().operation(leak.operationID)
    let isolation = try #require(Scenario.isolation(of: operation).first)
    let leaking = Scenario("leaks") { world in
      world.service.faults.leak(leak.kind)
      try await isolation.run(world)
    }
    #expect(await ContractRun.run(isolation, Self.kind).findings == [])
    let findings = await ContractRun.run(leaking, Self.kind).findings
    #expect(findings.contains { $0.hasPrefix(leak.finding) }, "\(findings)")
  }

  @Test(
    "every id of every request is looked for, and all operations that take one are in an organization, or a person's"
  )
  func slotsAreComplete() throws {
    let document = try OpenAPIDocument.contract.get()
    var found: Set<String> = []
    for operation in document.operations {
      let slots = try IdentifierSlot.all(of: operation, in: document)
      // Log-ins belong to a person: a scenario of theirs tries somebody else's.
      // So does one of the task timer, whose organization stands in no path.
      let isOfAccount = operation.id == "deleteLogIn" || operation.pathTemplate.hasPrefix("/api/")
      #expect(slots.isEmpty || operation.isInOrganization || isOfAccount, "\(operation.id)")
      found.formUnion(slots.map { "\(operation.id) \($0)" })
      // By the names, without a look at the schemas. The only id that a header names is a place in the log. A punch has
      // its id from the client, whose own punches it is looked for among: a scenario tries another's.
      for parameter in operation.parameters
      where parameter.location != "header" && parameter.name != "punchId" && Self.isNameOfID(parameter.name) {
        #expect(slots.contains { $0.name == parameter.name }, "\(operation.id) \(parameter.name)")
      }
      for slot in try BodySlot.all(in: operation.bodySchema ?? .null, of: document)
      // A timer's subject is the client's own, under an id of its own.
      where Self.isNameOfID(slot.path.last ?? "") && slot.path.dropLast().last != "subject" {
        #expect(slots.contains { $0.place == .body(slot.path) }, "\(operation.id) \(slot.name)")
      }
    }
    #expect(
      found.isSuperset(of: [
        "getMember path userId", "deleteApiToken path apiTokenId", "updateTimeEntry path timeEntryId",
        "listTimeEntries query userId", "listTimeEntries query sessionId", "listAuditLog query resourceId",
        "checkOverlap query excludeEntryId", "clockIn body userId", "clockIn body sessionId",
        "createTimeEntry body sessionId", "updateTimeEntry body sessionId", "createApiToken body userId",
      ]))
  }

  /// Such as `id`, `userId` and `organizationID`, and not `isPaid`.
  private static func isNameOfID(_ name: String) -> Bool {
    name == "id" || name.hasSuffix("Id") || name.hasSuffix("ID")
  }

  @Test("an id is found and put inside arrays and choices too")
  func nestedSlots() throws {
    let identifier: JSONValue = ["type": "string", "title": "ID"]
    let list: JSONValue = [
      "type": "array", "items": ["properties": ["id": ["$ref": "#/components/schemas/ID"]]],
    ]
    let document = try OpenAPIDocument(
      root: [
        "components": ["schemas": ["ID": identifier]],
        "paths": [
          "/all": [
            "post": [
              "operationId": "all", "responses": [:],
              "requestBody": [
                "content": [
                  "application/json": [
                    "schema": [
                      "properties": [
                        "people": ["oneOf": [list, ["type": "null"]]], "name": ["type": "string"],
                      ]
                    ]
                  ]
                ]
              ],
            ]
          ]
        ],
      ])
    let slots = try IdentifierSlot.all(of: document.operation("all"), in: document)
    #expect(slots.map(\.description) == ["body people/[]/id"])
    #expect(slots.map(\.name) == ["id"])
    let call = Call(operationID: "all", body: .json(["people": [["id": "a", "name": "A"], ["id": "b"]]]))
    #expect(slots[0].setting(call, to: "x").json == ["people": [["id": "x", "name": "A"], ["id": "b"]]])
    #expect(slots[0].setting(Call(operationID: "all"), to: "x").json == ["people": [["id": "x"]]])
  }
}
