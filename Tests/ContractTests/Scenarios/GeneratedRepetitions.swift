@testable import ContractDocument

extension Scenario {
  /// The effects of an `Idempotency-Key` on every operation that takes one.
  static func repetitions(of operation: Operation) -> [Scenario] {
    guard operation.takesIdempotencyKey else { return [] }
    return [
      Scenario("\(operation.id) is done once under a key, and answers the same again") { world in
        let call = try await world.baseline(operation).with { $0.idempotencyKey = "first-1" }
        let first = try await world.client.send(call)
        world.check((200..<300).contains(first.status), "answered \(first.status)")
        world.check(first.response.values(of: "idempotency-replayed").isEmpty, "the first is a replay")
        for _ in 0..<2 {
          world.service.clock.advance(seconds: 60)
          let again = try await world.client.expect(call, first.status)
          world.check(again.response.body == first.response.body, "\(operation.id) answers other bytes")
          world.check(again.etag == first.etag && again.location == first.location, "other fields")
          world.check(again.response.values(of: "idempotency-replayed") == ["true"], "not marked as a replay")
        }
        // Without a body only the organization can be another.
        guard operation.bodySchema != nil || operation.textBody != nil else { return }
        try await world.refuses(
          world.withOtherBody(call, of: operation), 422,
          ["idempotency_key_reused"], "another body")
      },
      Scenario("\(operation.id) takes keys of 1 to 255 visible ASCII characters") { world in
        let call = try await world.baseline(operation)
        for key in ["", String(repeating: "k", count: 256), "a b", "ä", "a\tb"] {
          try await world.client.expect(
            call.with { $0.idempotencyKey = key }, 400, code: "invalid_parameter", comment: "key \(key)")
        }
        let twice = call.with { $0.headers = [("Idempotency-Key", "a"), ("idempotency-key", "a")] }
        try await world.client.expect(twice, 400, code: "invalid_parameter", comment: "two keys")
        let long = String(repeating: "~", count: 254) + "!"
        let reply = try await world.client.send(call.with { $0.idempotencyKey = long })
        world.check((200..<300).contains(reply.status), "a key of 255 is answered \(reply.status)")
      },
      Scenario("\(operation.id) does not wait for the first request under its key") { world in
        let call = try await world.baseline(operation).with { $0.idempotencyKey = "busy" }
        world.service.faults.holdAnswers()
        async let first = world.client.send(call)
        await world.service.faults.answerHeld()
        try await world.client.expect(call, 409, code: "request_in_progress")
        world.service.faults.releaseAnswers()
        let status = try await first.status
        world.check((200..<300).contains(status), "the first is answered \(status)")
        try await world.client.expect(call, status)
      },
    ]
  }
}

extension World {
  /// The call with a body that the operation takes, and that is another.
  fileprivate func withOtherBody(_ call: Call, of operation: Operation) -> Call {
    call.with {
      if let text = operation.textBody {
        $0.body = .bytes(Array((text.example + "\n").utf8))
      } else {
        $0.json = otherBody(of: operation, than: call.json)
      }
    }
  }

  private func otherBody(of operation: Operation, than body: JSONValue) -> JSONValue {
    let names = (try? client.document.dereferenced(operation.bodySchema ?? .null))?["properties"]
    for (name, value) in [
      ("notes", "other"), ("note", "other"), ("reason", "other"), ("title", "Other"), ("name", "Other"),
      ("label", "Other"), ("answer", "Other"),
      ("state", "foreground"),
    ] where names?[name] != nil {
      return body.setting(name, to: .string(value))
    }
    if names?["expiresAt"] != nil {
      return body.setting("expiresAt", to: "2026-11-21T00:00:00Z")
    }
    if names?["includeUnapproved"] != nil { return body.setting("includeUnapproved", to: false) }
    if names?["breakMinimumSeconds"] != nil { return body.setting("breakMinimumSeconds", to: 1) }
    if names?["resume"] != nil { return body.setting("resume", to: false) }
    if names?["worksOnHolidays"] != nil { return body.setting("worksOnHolidays", to: true) }
    if names?["year"] != nil { return body.setting("year", to: body["year"] == 2_026 ? 2_025 : 2_026) }
    if names?["seconds"] != nil { return body.setting("seconds", to: 61) }
    if names?["url"] != nil { return body.setting("url", to: "https://other.example/") }
    if names?["topic"] != nil { return body.setting("topic", to: "com.example.other") }
    if names?["dryRun"] != nil { return body.setting("dryRun", to: true) }
    let key = names?["email"] != nil ? "email" : "mode"
    let present = body[key]?.string ?? ""
    let other = key == "email" ? present.uppercased() : present == "partial" ? "atomic" : "partial"
    return body.setting(key, to: .string(other))
  }
}
