@testable import ContractDocument

extension Fixture {
  /// The rules of the kinds of breaks.
  static let breakTypes = Fixture(scenarios: Scenario.breakTypes)
}

extension Scenario {
  fileprivate static let breakTypes: [Scenario] = [
    Scenario("names and durations of break types keep their rules, in a change as in a new one") { world in
      let bare: JSONValue = ["name": "Lunch", "isPaid": false]
      let made = try await world.client.expect(
        world.call("createBreakType", as: world.home.admin, body: bare), 201)
      let long = String(repeating: "ä", count: 201)
      let refused: [(JSONValue, String)] = [
        (["name": " \n "], "invalid_name"), (["name": .string(long)], "invalid_name"),
        (["name": "a\nb"], "invalid_name"), (["expectedSeconds": 0], "invalid_duration"),
        (["expectedSeconds": -1], "invalid_duration"), (["expectedSeconds": 86_401], "invalid_duration"),
      ]
      for (body, code) in refused {
        let whole = body.members.reduce(bare) { $0.setting($1.name, to: $1.value) }
        try await world.refuses(
          world.call("createBreakType", as: world.home.admin, body: whole), 422, [code], body.text)
        try await world.refuses(world.update(made, body), 422, [code], body.text)
      }
      for seconds in [1, 86_400] as [Int64] {
        let body: JSONValue = ["expectedSeconds": .integer(seconds)]
        let changed = try await world.client.expect(world.update(made, body, "*"), 200)
        world.check(changed.json["expectedSeconds"] == .integer(seconds), changed.json.text)
      }
    }
  ]
}

extension World {
  /// A change of the break type as it was answered, by an admin.
  fileprivate func update(
    _ breakType: ContractClient.Reply, _ body: JSONValue, _ ifMatch: String? = nil
  ) -> Call {
    call(
      "updateBreakType", as: home.admin, path: ["breakTypeId": breakType.json["id"]?.string ?? ""],
      body: body, ifMatch: ifMatch ?? breakType.etag)
  }
}
