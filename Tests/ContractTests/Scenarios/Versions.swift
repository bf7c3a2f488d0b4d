@testable import ContractDocument

extension Fixture {
  /// Versions, of every operation that takes one.
  static let versions = Fixture(scenarios: Scenario.versions)
}

extension Scenario {
  fileprivate static let versions: [Scenario] = [
    Scenario("every change takes the version in place of If-Match, or beside it") { world in
      // Entries are deleted before another one is made to be changed; the last one ends the access of the member that
      // makes the others.
      func turn(_ operation: Operation) -> Int {
        operation.id == "deactivateMember" ? 2 : operation.method == "DELETE" ? 0 : 1
      }
      for operation in world.client.document.operations.filter(\.needsIfMatch).sorted(by: {
        turn($0) < turn($1)
      }) {
        func call(_ version: Int64?, _ ifMatch: String?, _ base: Call) -> Call {
          base.with {
            $0.ifMatch = ifMatch
            guard let version else { return }
            if operation.method == "DELETE" {
              $0.query.append(("version", String(version)))
            } else {
              $0.json = $0.json.setting("version", to: .integer(version))
            }
          }
        }
        let base = try await world.baseline(operation)
        let tag = base.ifMatch ?? ""
        guard let version = Int64(tag.filter(\.isNumber)) else {
          world.check(false, "\(operation.id) has no version to state but \(tag)")
          continue
        }
        try await world.refuses(call(nil, nil, base), 428, ["precondition_required"], operation.id)
        for (stated, ifMatch) in [
          (version + 1, nil), (version + 1, tag), (version, "\"\(version + 1)\""), (version + 1, "*"),
          (0, nil),
        ] as [(Int64, String?)] {
          try await world.refuses(
            call(stated, ifMatch, base), 412, ["precondition_failed"],
            "\(operation.id), \(stated) and \(ifMatch ?? "nothing")")
        }
        for stated in [-1, 9_007_199_254_740_992] as [Int64] {
          try await world.refuses(
            call(stated, nil, base), 400, ["invalid_parameter", "invalid_body"], "\(operation.id), \(stated)")
        }
        let changed = try await world.client.send(call(version, nil, base), operation.id)
        world.check((200...204).contains(changed.status), "\(operation.id): \(changed.status)")
        if let tag = changed.etag {
          world.check(
            changed.json["version"].map { "\"\($0.text)\"" } == tag, "\(operation.id): \(changed.json)")
        }
      }
    },
    Scenario("the tag of what runs stays while only time passes, and changes with the state") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let entry = try await world.client.expect(world.call("clockIn", as: member), 201)
      let project = try await world.makeProject(["name": "Shelves"], by: manager)
      try await world.client.expect(
        world.call("startSegment", as: member, body: ["projectId": project.json["id"] ?? .null]), 201)
      let calls = [
        world.call("getCurrentTimeEntry", as: member), world.call("listTimeEntries", as: member),
        world.call("listTimeEntries", as: member, query: [("status", "clocked-in")]),
        world.call("listSegments", as: member), world.call("getPresence", as: manager),
        world.call("getMe", as: member, query: [("include", "current,organization")]),
        world.call("listChanges", as: manager), world.call("listAuditLog", as: world.home.admin),
      ]
      func tags(_ known: [String], _ status: Int, _ comment: String) async throws -> [String] {
        var found: [String] = []
        for (number, call) in calls.enumerated() {
          let asking = call.with { call in
            if !known.isEmpty { call.headers.append(("If-None-Match", known[number])) }
          }
          let reply = try await world.client.expect(
            asking, status, comment: "\(comment): \(call.operationID)")
          found.append(reply.etag ?? "")
        }
        return found
      }
      let first = try await tags([], 200, "at first")
      world.service.clock.advance(seconds: 61)
      world.check(try await tags(first, 304, "a minute later") == first, "other tags")
      try await world.client.expect(
        world.call(
          "updateTimeEntry", as: member, path: ["timeEntryId": try World.text(entry.json["id"])],
          body: ["notes": "Shelves"], ifMatch: "*"), 200)
      // The presence and the segment are unchanged.
      var changed: [Int] = []
      for (call, tag) in zip(calls, first) {
        let asking = call.with { $0.headers.append(("If-None-Match", tag)) }
        changed.append(try await world.client.send(asking, "after a change").status)
      }
      world.check(changed == [200, 200, 200, 304, 304, 200, 200, 200], "\(changed)")
      world.service.clock.advance(seconds: 61)
      try await world.client.expect(world.call("clockOut", as: member), 200)
      let last = try await tags(first, 200, "afterwards")
      world.check(zip(first, last).allSatisfy { $0 != $1 }, "\(last)")
      world.service.clock.advance(seconds: 61)
      _ = try await tags(last, 304, "and nothing more")
    },
    Scenario("nothing is sent to a client that has the present version") { world in
      for operation in world.client.document.operations
      where operation.parameters.contains(where: { $0.name == "If-None-Match" }) {
        let call = try await world.baseline(operation)
        var read = try await world.client.expect(call, 200, comment: operation.id)
        // The first use of a log-in is noted behind the answer.
        for _ in 0..<500 where read.json["logIns"]?.elements.contains(where: \.isUnused) == true {
          try await Task.sleep(for: .milliseconds(10))
          read = try await world.client.expect(call, 200, comment: operation.id)
        }
        guard let tag = read.etag else {
          world.check(false, "\(operation.id) has no ETag")
          continue
        }
        // The tag of an answer that is composed each time is weak.
        let isWeak = tag.hasPrefix("W/")
        world.check(
          isWeak || read.json["version"].map { "\"\($0.text)\"" } == tag, "\(operation.id): \(read.json)")
        for (value, status) in [
          (tag, 304), (isWeak ? String(tag.dropFirst(2)) : "W/" + tag, 304), ("\"x\", " + tag, 304),
          ("*", 304), ("\"x\"", 200), ("0", 200),
          ("", 200),
        ] {
          let answer = try await world.client.expect(
            call.with { $0.headers.append(("If-None-Match", value)) }, status, comment: operation.id)
          world.check(answer.etag == tag, "\(operation.id): another ETag")
          if status == 304 { world.check(answer.response.body.isEmpty, "\(operation.id): content") }
        }
      }
    },
  ]
}

extension JSONValue {
  /// Whether this is the log-in that asks, of which no use is noted yet.
  fileprivate var isUnused: Bool { self["current"] == true && self["lastUsedAt"] == .null }
}
