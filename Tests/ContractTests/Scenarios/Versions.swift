@testable import ContractDocument

extension Fixture {
  /// Versions, of every operation that takes one.
  static let versions = Fixture(scenarios: Scenario.versions)
}

extension Scenario {
  fileprivate static let versions: [Scenario] = [
    Scenario("every change takes the version in place of If-Match, or beside it") { world in
      // Entries are deleted before another one is made to be changed; the last one ends the access of the member as whom
      // the others ask.
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
    Scenario("nothing is sent to a client that has the present version") { world in
      for operation in world.client.document.operations
      where operation.parameters.contains(where: { $0.name == "If-None-Match" }) {
        let call = try await world.baseline(operation)
        let read = try await world.client.expect(call, 200, comment: operation.id)
        guard let tag = read.etag else {
          world.check(false, "\(operation.id) has no ETag")
          continue
        }
        // That of an answer which is put together anew each time is weak.
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
