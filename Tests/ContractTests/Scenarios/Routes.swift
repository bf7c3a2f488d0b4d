@testable import ContractDocument

extension Fixture {
  /// Paths and methods outside the contract cannot be called.
  static let routes = Fixture(scenarios: Scenario.routes)
}

extension Scenario {
  fileprivate static let routes: [Scenario] = [
    Scenario("a path has no other methods than the contract's, for any caller") { world in
      let operations = world.client.document.operations
      for template in Set(operations.map(\.pathTemplate)).sorted() {
        var documented = operations.filter { $0.pathTemplate == template }.map(\.method)
        if documented.contains("GET") { documented.append("HEAD") }
        let allowed = documented.sorted().joined(separator: ", ")
        for method in Self.methods where !documented.contains(method) {
          for token in [nil, world.home.admin.token, world.service.operatorToken] {
            let response = try await world.client.transport.send(
              world.request(method, world.path(template), token))
            world.check(response.status == 405, "\(method) \(template): answered \(response.status), not 405")
            let allow = response.values(of: "allow")
            world.check(allow == [allowed], "\(method) \(template): Allow is \(allow), not \(allowed)")
          }
        }
      }
    },
    Scenario("nothing is at a path that the contract does not have, for any caller") { world in
      let templates = Set(world.client.document.operations.map(\.pathTemplate))
      var paths: Set<String> = []
      for template in templates { paths.formUnion(PathShapes.near(world.path(template))) }
      let known = Dictionary(grouping: templates.map(PathShapes.segments), by: \.count)
      let unknown = paths.filter { path in
        let segments = PathShapes.segments(of: path)
        return !(known[segments.count] ?? []).contains { PathShapes.matches(segments, $0) }
      }
      world.check(unknown.count > 5 * templates.count, "only \(unknown.count) paths are tried")
      for path in unknown.sorted() {
        for method in ["GET", "POST"] {
          for token in [nil, world.home.admin.token] {
            let response = try await world.client.transport.send(world.request(method, path, token))
            let code = (try? JSONParser.parse(response.body))?["code"]?.string ?? ""
            world.check(
              response.status == 404 && code == "no_such_route",
              "\(method) \(path): answered \(response.status) \(code)")
          }
        }
      }
    },
    Scenario("the first fault of a request is reported in plain words, with its place") { world in
      let admin = world.home.admin
      let member: JSONValue = ["email": "new@home.example", "name": "New", "role": "member"]
      let cases: [(call: Call, status: Int, detail: String)] = [
        (
          world.call("createMember", as: admin, body: member.setting("department", to: "Roof")), 400,
          "Invalid body: unknown property /department."
        ),
        (
          world.call("createMember", as: admin, body: member.removing("name").removing("role")), 400,
          "Invalid body: /name is missing (and 1 more)."
        ),
        (
          world.call("createMember", as: admin, body: member.setting("password", to: "password123")), 422,
          "This password is too common. Choose one that is hard to guess."
        ),
        (
          world.call("reportHours", as: admin, query: [("groupby", "user")]), 400,
          "Invalid query: endDate is missing (and 2 more)."
        ),
        (
          world.call("listMembers", as: admin, query: [("department", "Roof")]), 400,
          "Invalid query: unknown parameter department."
        ),
        (
          world.call("updateOrganization", as: admin, body: ["name": "Roof"], ifMatch: "3"), 400,
          #"Invalid header: If-Match must be an ETag in its quotes, such as "3", or *."#
        ),
      ]
      for (call, status, detail) in cases {
        let reply = try await world.client.expect(call, anyOf: [status], codes: [], comment: detail)
        world.check(reply.json["detail"]?.string == detail, reply.json.text)
      }
      let request = WireRequest(
        method: "GET", target: "/v1/organizations/\(world.home.organizationID)/members?search=%FF",
        headers: [("Authorization", "Bearer \(admin.token)")])
      let answer = try JSONParser.parse(try await world.client.transport.send(request).body)
      world.check(answer["detail"] == "Invalid query: it is not valid UTF-8.", answer.text)
    },
    Scenario("a name that is nearly right gets the right one named") { world in
      let member = world.call(
        "clockIn", as: world.home.member, body: ["clockinTime": "2026-11-20T11:00:00Z", "shade": "red"])
      let inBody = try await world.client.expect(member, 400, code: "invalid_body")
      world.check(
        inBody.textWithoutRequestID.contains("is unknown; similar: clockInTime"), inBody.textWithoutRequestID
      )
      let list = world.call("listTimeEntries", as: world.home.member, query: [("start_date", "2026-11-20")])
      let inQuery = try await world.client.expect(list, 400, code: "invalid_parameter")
      world.check(
        inQuery.textWithoutRequestID.contains("is unknown; similar: startDate"), inQuery.textWithoutRequestID
      )
    },
    Scenario("each answer has an id of its own") { world in
      var ids: Set<String> = []
      for operation in ["getMe", "getVersion", "getService", "getMe"] {
        let call = Call(operationID: operation, token: operation == "getMe" ? world.home.member.token : nil)
        ids.formUnion(try await world.client.expect(call, 200).response.values(of: "x-request-id"))
      }
      for path in ["/nothing", "/v1/me"] {
        let response = try await world.client.transport.send(world.request("GET", path, nil))
        ids.formUnion(response.values(of: "x-request-id"))
      }
      world.check(ids.count == 6, "ids \(ids)")
    },
    Scenario("OPTIONS * lists the methods that the contract has") { world in
      let response = try await world.client.transport.send(WireRequest(method: "OPTIONS", target: "*"))
      let methods = Set(world.client.document.operations.map(\.method)).union(["HEAD", "OPTIONS"])
      let allow = response.values(of: "allow")
      world.check(response.status == 204, "answered \(response.status)")
      world.check(allow == [methods.sorted().joined(separator: ", ")], "Allow is \(allow)")
      world.check(response.values(of: "cache-control") == ["no-store"], "Cache-Control is missing")
    },
  ]

  private static let methods = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY",
  ]
}

/// Paths as the router might mistake them.
enum PathShapes {
  /// Paths that differ from this one by a segment: shorter, longer, in capitals, doubled, replaced.
  static func near(_ path: String) -> Set<String> {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    var shapes: [[String]] = [segments + [""], segments + ["more"], [""] + segments, segments + segments]
    for index in segments.indices {
      let (before, after) = (Array(segments[..<index]), Array(segments[(index + 1)...]))
      shapes += [before, before + after, before + [""] + after]
      for other in [segments[index].uppercased(), segments[index] + "s", "..", "%2e", segments[index] + ";a"]
      {
        shapes.append(before + [other] + after)
      }
    }
    return Set(shapes.map { "/" + $0.joined(separator: "/") })
  }

  static func segments(of path: String) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Whether a path is one of a template's as long as it, with any text for its parameters.
  static func matches(_ segments: [Substring], _ template: [Substring]) -> Bool {
    zip(segments, template).allSatisfy { $0 == $1 || $1.hasPrefix("{") && !$0.isEmpty }
  }
}

extension World {
  /// The path with ids for its parameters.
  fileprivate func path(_ template: String) -> String {
    template.split(separator: "/", omittingEmptySubsequences: false).map { part in
      guard part.hasPrefix("{") else { return String(part) }
      return part == "{organizationID}" ? home.organizationID : Self.absentID
    }.joined(separator: "/")
  }

  fileprivate func request(_ method: String, _ target: String, _ token: String?) -> WireRequest {
    WireRequest(
      method: method, target: target, headers: token.map { [("Authorization", "Bearer \($0)")] } ?? [],
      body: ["POST", "PUT", "PATCH"].contains(method) ? [] : nil)
  }
}
