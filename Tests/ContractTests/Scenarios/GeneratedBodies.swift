@testable import ContractDocument

extension Scenario {
  /// Everything that can be wrong with a body is refused and changes nothing.
  static func bodies(of operation: Operation) -> Scenario {
    if let text = operation.textBody { return textBodies(of: operation, text) }
    guard operation.bodySchema != nil else {
      return Scenario("\(operation.id) takes no body") { world in
        let call = try await world.baseline(operation).with { $0.json = [:] }
        try await world.refuses(call, 400, ["unexpected_body"], "a body")
      }
    }
    return Scenario("\(operation.id) refuses what its schema refuses, malformed bodies and U+0000") { world in
      let call = try await world.baseline(operation)
      let before = try await Snapshot(of: world.home, in: world)
      try await world.refusesMutations(of: call, operation, before)
      try await world.refusesZeros(in: call, operation, before)
      try await world.refusesMalformedBodies(call, before)
      try await world.accepts(
        call.with {
          $0.contentType = "application/json; charset=UTF-8"
          $0.body = .bytes(MalformedBodies.padded(call.json, to: 256 * 1024))
        }, operation)
    }
  }

  /// A body that is text is refused under any other content type, and if it is too large.
  private static func textBodies(of operation: Operation, _ text: Operation.TextBody) -> Scenario {
    Scenario("\(operation.id) takes \(text.contentTypes.joined(separator: " and ")) in UTF-8") { world in
      let call = try await world.baseline(operation)
      let before = try await Snapshot(of: world.home, in: world)
      let others =
        MalformedBodies.otherContentTypes + ["application/json"]
        + text.contentTypes.map { "\($0); charset=latin1" }
      for contentType in others {
        try await world.client.expect(
          call.with { $0.contentType = contentType }, 415, comment: contentType ?? "no content type")
      }
      let padding = { count in Array(text.example.utf8) + Array(repeating: UInt8(ascii: "\n"), count: count)
      }
      try await world.client.expect(
        call.with { $0.body = .bytes(padding(512 * 1024)) }, 413, comment: "beyond 512 KiB")
      try await world.client.expect(call.with { $0.body = .none }, 400, 415, comment: "no body")
      try await world.expectUnchanged(since: before, "after refused bodies")
      for contentType in text.contentTypes {
        let full = call.with {
          $0.contentType = "\(contentType); charset=UTF-8"
          $0.body = .bytes(padding(512 * 1024 - text.example.utf8.count))
        }
        try await world.accepts(full, operation)
      }
    }
  }
}

extension World {
  /// Bodies that its schema refuses.
  fileprivate func refusesMutations(
    of call: Call, _ operation: Operation, _ before: Snapshot
  ) async throws {
    let mutations = try BodyMutation.all(of: operation, from: call.json, in: client.document)
    check(mutations.count > 8, "there are only \(mutations.count) mutations")
    for mutation in mutations {
      try await client.expect(
        call.with { $0.body = mutation.body }, anyOf: [mutation.status], codes: mutation.codes,
        comment: mutation.name)
      try await expectUnchanged(since: before, mutation.name)
    }
  }

  /// U+0000 in every string but a password, which may hold anything.
  fileprivate func refusesZeros(in call: Call, _ operation: Operation, _ before: Snapshot) async throws {
    let slots = try BodySlot.all(in: operation.bodySchema ?? .null, of: client.document)
      .filter { SchemaValidator.types($0.schema["type"] ?? .null).contains("string") }
      .filter { !$0.name.lowercased().hasSuffix("password") }
    let statuses = ["createToken", "taskTimerCreateToken"].contains(operation.id) ? [400, 401] : [400, 422]
    for slot in slots {
      let mutated = call.with { $0.json = call.json.changing(at: slot.path) { _ in "abcdefgh\0@b.c" } }
      try await client.expect(mutated, anyOf: statuses, codes: [], comment: "NUL in \(slot.name)")
      try await expectUnchanged(since: before, "NUL in \(slot.name)")
    }
  }

  fileprivate func refusesMalformedBodies(_ call: Call, _ before: Snapshot) async throws {
    for (name, bytes) in MalformedBodies.all(from: call.json) {
      try await client.expect(
        call.with { $0.body = .bytes(bytes) }, anyOf: [400], codes: ["malformed_json", "invalid_body"],
        comment: name)
    }
    for contentType in MalformedBodies.otherContentTypes {
      try await client.expect(
        call.with { $0.contentType = contentType }, 415, comment: contentType ?? "no content type")
    }
    let tooLarge = MalformedBodies.tooLarge(call.json)
    try await client.expect(call.with { $0.body = .bytes(tooLarge) }, 413, comment: "300 KiB")
    try await expectUnchanged(since: before, "after malformed bodies")
  }

  /// Adds a finding unless the call is refused so and changes nothing.
  func refuses(_ call: Call, _ status: Int, _ codes: [String], _ comment: String) async throws {
    let before = try await Snapshot(of: home, in: self)
    try await client.expect(call, anyOf: [status], codes: codes, comment: comment)
    try await expectUnchanged(since: before, comment)
  }

  /// Adds a finding if anything has changed since.
  func expectUnchanged(since before: Snapshot, _ comment: String) async throws {
    let after = try await Snapshot(of: home, in: self)
    check(before == after, "\(comment) changed something:\n\(before)\n\(after)")
  }

  /// Adds a finding unless the call succeeds; this shows that a refusal was due to the spoiled part.
  func accepts(_ call: Call, _ operation: Operation) async throws {
    try await client.expect(
      call, anyOf: operation.responses.keys.filter { $0 < 400 }, codes: [], comment: "unspoiled")
  }
}
