@testable import ContractDocument

extension Fixture {
  /// The forms of tables.
  static let tableDialects = Fixture(scenarios: Scenario.tableDialects)
}

extension Scenario {
  fileprivate static let tableDialects: [Scenario] = [
    Scenario("every table is in the dialect that is asked for, with the same content") { world in
      let (admin, member) = (world.home.admin, world.home.member)
      try await world.client.expect(
        world.call(
          "updateMember", as: admin, path: ["userId": member.userID], body: ["personnelNumber": "0001"],
          ifMatch: "*"), 200)
      let project = try await world.makeProject(["name": "1-2"], by: admin)
      try await world.client.expect(
        world.call(
          "createTimeEntry", as: member,
          body: [
            "clockInTime": "2026-11-19T08:00:00Z", "clockOutTime": "2026-11-19T09:45:00Z",
            "notes": "=1;\n\"2\"",
          ]), 201)
      try await world.client.expect(
        world.call(
          "createSegment", as: member,
          body: [
            "startTime": "2026-11-19T08:00:00Z", "endTime": "2026-11-19T08:10:30Z",
            "projectId": project.json["id"] ?? .null, "name": "007",
          ]), 201)
      let tables: [(String, [(name: String, value: String)], [String])] = [
        ("exportTimeEntries", [("durations", "decimal")], ["1,75", "0001"]),
        ("exportSegments", [], ["007", "1-2"]),
        ("exportSegments", [("layout", "simple")], ["105,0", "10,5", "1-2"]),
        ("reportHours", [("range", "thisWeek"), ("durations", "decimal")], ["1,75", "0001"]),
        ("getTimesheet", [("period", "weekly"), ("durations", "decimal")], ["1,75", "0001"]),
      ]
      let mark = Array("\u{FEFF}".utf8)
      for (operation, query, cells) in tables {
        func table(_ dialect: [(name: String, value: String)]) async throws -> [UInt8] {
          let call = world.call(operation, as: member, query: query + [("format", "csv")] + dialect)
          let reply = try await world.client.expect(call, 200)
          return reply.response.body
        }
        func expect(
          _ dialect: [(name: String, value: String)], _ separator: String, comma: Bool, mark hasMark: Bool,
          kept: Bool
        ) async throws {
          let text = try await table(dialect)
          world.check(text.starts(with: mark) == hasMark, "\(operation) \(dialect): the byte order mark")
          let records = CSVReader.records(of: text) ?? []
          let plain = CSVReader.records(of: try await table([])) ?? []
          world.check(
            records.count > 1 && records.first == plain.first, "\(operation) \(dialect): \(records)")
          let first = String(decoding: text, as: UTF8.self).split(separator: "\r\n").first ?? ""
          world.check(first.contains(separator), "\(operation) \(dialect): \(first)")
          // Read back, it is the plain table.
          let read = records.map { record in record.map { World.plain($0, comma: comma) } }
          world.check(read == plain, "\(operation) \(dialect): \(read), not \(plain)")
          let all = Set(records.joined())
          for cell in cells {
            let isDecimal = cell.contains(",")
            let written =
              isDecimal ? (comma ? cell : cell.replacing(",", with: ".")) : kept ? "=\"\(cell)\"" : cell
            world.check(all.contains(written), "\(operation) \(dialect): no \(written) in \(records)")
          }
        }
        try await expect([("dialect", "rfc4180")], ",", comma: false, mark: false, kept: false)
        try await expect([("dialect", "excel")], ";", comma: true, mark: true, kept: true)
        try await expect([("separator", "tab")], "\t", comma: false, mark: false, kept: false)
        try await expect([("separator", "semicolon")], ";", comma: false, mark: false, kept: false)
        try await expect([("decimal", "comma")], ",", comma: true, mark: false, kept: false)
        try await expect([("bom", "true")], ",", comma: false, mark: true, kept: false)
        try await expect(
          [("dialect", "excel"), ("bom", "false"), ("decimal", "point"), ("separator", "comma")], ",",
          comma: false, mark: false, kept: true)
      }
    },
    Scenario("the service reads its own tables back, in every dialect") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let notes = ["0815", "=SUM(A1)", "say \"yes\"; or\nno", "1,5", "Zoë"]
      for (number, note) in notes.enumerated() {
        let body: JSONValue = [
          "clockInTime": .string("2026-11-1\(number)T08:00:00Z"),
          "clockOutTime": .string("2026-11-1\(number)T09:30:00Z"), "notes": .string(note),
        ]
        try await world.client.expect(world.call("createTimeEntry", as: member, body: body), 201)
      }
      let entries = try await world.pages("listTimeEntries", "timeEntries", as: manager, limit: 100)
      for (number, dialect) in [
        [], [("dialect", "excel")], [("separator", "tab"), ("bom", "true")],
        [("separator", "semicolon"), ("decimal", "comma")], [("decimal", "comma")],
      ].enumerated() as EnumeratedSequence<[[(name: String, value: String)]]> {
        let export = world.call(
          "exportTimeEntries", as: manager, query: [("durations", "decimal")] + dialect)
        let table = try await world.client.expect(export, 200).response.body
        let other = try await world.makeTenant("other\(number)")
        let call = world.call("importTimeEntries", as: other.admin, in: other, query: [("format", "generic")])
        let report = try await world.client.expect(
          call.with {
            $0.body = .bytes(table)
            $0.contentType = "text/csv"
          }, 200
        ).json
        world.check(report["taken"] == .integer(Int64(notes.count)), "\(dialect): \(report.text)")
        let read =
          try await world.client.expect(
            world.call("listTimeEntries", as: other.admin, in: other), 200
          ).json["timeEntries"]?.elements ?? []
        // Between tabs quotes are text (0011), so that notes in quotes come back as they are in the file.
        let isExact = !dialect.contains { $0.value == "tab" }
        for name in ["clockInTime", "clockOutTime", "notes"] {
          let pairs = zip(read, entries).filter { pair in
            isExact || name != "notes" || pair.1[name]?.string?.contains { "\",;".contains($0) } == false
          }
          world.check(
            read.count == entries.count && pairs.allSatisfy { $0[name] == $1[name] },
            "\(dialect), \(name): \(JSONValue.array(read).text)")
        }
      }
    },
  ]
}

extension World {
  /// A cell as the plain table has it.
  fileprivate static func plain(_ cell: String, comma: Bool) -> String {
    if cell.hasPrefix("=\""), cell.hasSuffix("\"") { return String(cell.dropFirst(2).dropLast()) }
    let isDecimal = comma && cell.wholeMatch(of: #/[0-9]+,[0-9]{1,2}/#) != nil
    return isDecimal ? cell.replacing(",", with: ".") : cell
  }
}
