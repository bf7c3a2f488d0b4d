@testable import ContractDocument

extension Fixture {
  /// Adding, reading and changing members.
  static let members = Fixture(
    scenarios: Scenario.members,
    baselines: [
      "updateMember": { world, call in call.ifMatch = try await world.etag(of: world.home.member) },
      "deactivateMember": { world, call in call.ifMatch = try await world.etag(of: world.home.member) },
    ],
    foreignIDs: { _, away in ["userId": away.member.userID] },
    idsOfMember: { _, person in ["userId": person.userID] })
}

extension Scenario {
  fileprivate static let members: [Scenario] = [
    Scenario("a new member is where Location says") { world in
      let body: JSONValue = [
        "email": " New@Home.Example ", "name": " New Member ", "role": "manager", "timeZone": "Pacific/Apia",
      ]
      let created = try await world.client.expect(
        world.call("createMember", as: world.home.admin, body: body), 201)
      let id = try World.text(created.json["userId"])
      let path = "/v1/organizations/\(world.home.organizationID)/members/\(id)"
      world.check(created.location == path, "Location is \(created.location ?? "none")")
      world.check(created.json["name"] == "New Member", "the name is not trimmed")
      let read = world.call("getMember", as: world.home.manager, path: ["userId": id])
      let reply = try await world.client.expect(read, 200)
      world.check(
        reply.json == created.json && reply.etag == created.etag, "getMember answers something else")
    },
    Scenario("nobody is added twice, and nobody's account is taken over") { world in
      let away = try await world.makeTenant("away")
      var body: JSONValue = [
        "email": .string(world.home.member.email.uppercased()), "name": "Again", "role": "member",
      ]
      let call = world.call("createMember", as: world.home.admin, body: body)
      try await world.refuses(call, 409, ["member_exists"], "a second membership")
      body = body.setting("email", to: .string(away.member.email)).setting("password", to: "a newer password")
      try await world.refuses(
        call.with { $0.json = body }, 409, ["email_in_use"], "a password for another's account")
      let added = try await world.client.expect(call.with { $0.json = body.removing("password") }, 201)
      world.check(added.json["userId"]?.string == away.member.userID, "another user")
      _ = try await world.logIn(away.member.email)
    },
    Scenario("a personnel number is one member's") { world in
      let body: JSONValue = [
        "email": "new@home.example", "name": "New", "role": "member", "personnelNumber": " 0042 ",
      ]
      let create = world.call("createMember", as: world.home.admin, body: body)
      let created = try await world.client.expect(create, 201)
      world.check(created.json["personnelNumber"] == "0042", "another number: \(created.json.text)")
      let other = body.setting("email", to: "other@home.example").setting("personnelNumber", to: "0042")
      try await world.refuses(create.with { $0.json = other }, 409, ["personnel_number_in_use"], "taken")
      let member = world.home.member
      let update = world.call(
        "updateMember", as: world.home.admin, path: ["userId": member.userID], ifMatch: "*")
      try await world.refuses(
        update.with { $0.json = ["personnelNumber": "0042"] }, 409, ["personnel_number_in_use"], "taken")
      for bad: JSONValue in ["", " \t", "4\n2", .string(String(repeating: "1", count: 65))] {
        try await world.refuses(
          update.with { $0.json = ["personnelNumber": bad] }, 422, ["invalid_personnel_number"], bad.text)
        try await world.refuses(
          create.with { $0.json = other.setting("personnelNumber", to: bad) }, 422,
          ["invalid_personnel_number"], bad.text)
      }
      let longest = JSONValue.string(String(repeating: "🧾", count: 64))
      let changed = try await world.client.expect(update.with { $0.json = ["personnelNumber": longest] }, 200)
      world.check(changed.json["personnelNumber"] == longest, changed.json.text)
      let kept = try await world.client.expect(update.with { $0.json = ["name": "Other"] }, 200)
      world.check(kept.json["personnelNumber"] == longest, "a change of the name took the number")
      let gone = try await world.client.expect(update.with { $0.json = ["personnelNumber": nil] }, 200)
      world.check(gone.json["personnelNumber"] == .null, gone.json.text)
      let listed = try await world.pages("listMembers", "members", as: world.home.admin, limit: 100)
      world.check(listed.compactMap { $0["personnelNumber"]?.string } == ["0042"], "\(listed.map(\.text))")
    },
    Scenario("a deactivated member exists already") { world in
      try await world.deactivate(world.home.member)
      let body: JSONValue = ["email": .string(world.home.member.email), "name": "Again", "role": "member"]
      try await world.client.expect(
        world.call("createMember", as: world.home.admin, body: body), 409, code: "member_exists")
    },
    Scenario("createMember refuses names, addresses and zones that break the rules") { world in
      let call = try await world.baseline(world.client.document.operation("createMember"))
      for (name, value, code): (String, JSONValue, String) in [
        ("name", " \t ", "invalid_name"), ("name", "a\u{9F}b", "invalid_name"),
        ("email", .string(String(repeating: "ä", count: 122) + "@example.com"), "invalid_email"),
        ("timeZone", "Mars/Olympus", "unknown_time_zone"), ("timeZone", "", "unknown_time_zone"),
        ("password", "äöü", "invalid_password"),
      ] {
        let spoiled = call.with { $0.json = call.json.setting(name, to: value) }
        try await world.refuses(spoiled, 422, [code], "\(name) \(value.text)")
      }
    },
    Scenario("a member changes only in what is stated, and only from the version that was read") { world in
      let member = world.home.member
      let etag = try await world.etag(of: member)
      let body: JSONValue = ["role": "manager", "timeZone": "Pacific/Apia", "name": nil, "active": nil]
      let change = world.call(
        "updateMember", as: world.home.admin, path: ["userId": member.userID], body: body, ifMatch: etag)
      let after = try await world.client.expect(change, 200)
      world.check(after.json["role"] == "manager" && after.json["timeZone"] == "Pacific/Apia", "no change")
      world.check(after.json["name"] == "A Person" && after.json["active"] == true, "more has changed")
      world.check(after.etag != etag, "the entity tag has not changed")
      let stale = try await world.client.expect(change, 412, code: "precondition_failed")
      world.check(stale.json["current"] == after.json && stale.etag == after.etag, "current is not present")
      try await world.client.expect(world.call("listMembers", as: member), 200)
      let reset = try await world.client.expect(
        change.with {
          $0.json = ["timeZone": nil]
          $0.ifMatch = after.etag
        }, 200)
      world.check(reset.json["timeZone"] == .null && reset.json["role"] == "manager", "timeZone is not reset")
    },
    Scenario("updateMember and deactivateMember need If-Match") { world in
      for operationID in ["updateMember", "deactivateMember"] {
        var call = world.call(operationID, as: world.home.admin, path: ["userId": world.home.member.userID])
        if operationID == "updateMember" { call.json = ["name": "Other"] }
        try await world.refuses(call, 428, ["precondition_required"], "no If-Match")
        try await world.refusesStaleVersions(call)
        let stale = try await world.client.expect(
          call.with { $0.ifMatch = #""never""# }, 412, code: "precondition_failed")
        let etag = try await world.etag(of: world.home.member)
        world.check(stale.etag == etag, "412 does not carry the present entity tag")
        let expected = operationID == "updateMember" ? 200 : 204
        try await world.client.expect(call.with { $0.ifMatch = "*" }, expected)
      }
    },
    Scenario("an empty change of a member changes nothing") { world in
      let read = world.call("getMember", as: world.home.admin, path: ["userId": world.home.member.userID])
      let before = try await world.client.expect(read, 200)
      for body: JSONValue? in [nil, [:], ["name": nil], ["active": true, "role": "member"]] {
        world.service.clock.advance(seconds: 1)
        let call = world.call(
          "updateMember", as: world.home.admin, path: ["userId": world.home.member.userID], body: body,
          ifMatch: "*")
        let reply = try await world.client.expect(call, 200, comment: body?.text ?? "no body")
        world.check(reply.json == before.json && reply.etag == before.etag, "something has changed")
      }
    },
    Scenario("an organization keeps an active admin") { world in
      let admin = world.home.admin
      let update = world.call("updateMember", as: admin, path: ["userId": admin.userID], ifMatch: "*")
      for body: JSONValue in [["role": "manager"], ["active": false]] {
        try await world.refuses(update.with { $0.json = body }, 409, ["last_admin"], body.text)
      }
      let deactivate = world.call("deactivateMember", as: admin, path: ["userId": admin.userID], ifMatch: "*")
      try await world.refuses(deactivate, 409, ["last_admin"], "deactivation")
      let second = try await world.makePerson("second@home.example", role: "admin")
      try await world.client.expect(update.with { $0.json = ["role": "manager"] }, 200)
      try await world.client.expect(world.call("listApiTokens", as: second), 200)
    },
    Scenario("an admin sets a member's password, but not one who works elsewhere too") { world in
      let away = try await world.makeTenant("away")
      let shared = try await world.makeSharedPerson(away)
      let body: JSONValue = ["password": "a newer password"]
      let call = world.call(
        "updateMember", as: world.home.admin, path: ["userId": shared.userID], body: body, ifMatch: "*")
      try await world.refuses(call, 409, ["account_shared"], "a shared account")
      _ = try await world.logIn(shared.email)
      let member = world.home.member
      try await world.client.expect(call.with { $0.path["userId"] = member.userID }, 200)
      try await world.client.expect(
        Call(operationID: "getMe", token: member.token), 401, code: "invalid_token")
      let old: JSONValue = ["email": .string(member.email), "password": .string(World.password)]
      try await world.client.expect(Call(operationID: "createToken", body: .json(old)), 401)
      let new = old.setting("password", to: "a newer password")
      try await world.client.expect(Call(operationID: "createToken", body: .json(new)), 200)
    },
    Scenario("an admin changes an address, but not of one whom another organization has too") { world in
      let member = world.home.member
      let call = world.call(
        "updateMember", as: world.home.admin, path: ["userId": member.userID],
        body: ["email": " Moved@Home.Example "], ifMatch: "*")
      for (email, status, code) in [
        ("nonsense", 422, "invalid_email"), (world.home.manager.email.uppercased(), 409, "address_taken"),
      ] as [(String, Int, String)] {
        let spoiled = call.with { $0.json = ["email": .string(email)] }
        try await world.refuses(spoiled, status, [code], email)
      }
      let moved = try await world.client.expect(call, 200)
      world.check(moved.json["email"] == "Moved@Home.Example", moved.json.text)
      let old: JSONValue = ["email": .string(member.email), "password": .string(World.password)]
      try await world.client.expect(Call(operationID: "createToken", body: .json(old)), 401)
      _ = try await world.logIn("moved@home.example")
      let me = try await world.client.expect(Call(operationID: "getMe", token: member.token), 200)
      world.check(me.json["user"]?["email"] == "Moved@Home.Example", "a log-in ended, or another address")
      let heir: JSONValue = ["email": .string(member.email), "name": "Heir", "role": "member"]
      let added = try await world.client.expect(
        world.call("createMember", as: world.home.admin, body: heir), 201)
      world.check(added.json["userId"]?.string != member.userID, "the old address is not free")
      // Added, and not accepted: the admin here must not become the person anywhere.
      let away = try await world.makeTenant("away")
      let stranger = away.member
      try await world.client.expect(
        world.call(
          "createMember", as: world.home.admin,
          body: ["email": .string(stranger.email), "name": "Stranger", "role": "member"]), 201)
      let take = call.with { $0.path["userId"] = stranger.userID }
      try await world.refuses(
        take.with { $0.json = ["email": "mine@home.example"] }, 409, ["account_shared"], "another's account")
      _ = try await world.logIn(stranger.email)
    },
    Scenario("updateMember refuses what breaks the rules") { world in
      let call = try await world.baseline(world.client.document.operation("updateMember"))
      for (name, value, code): (String, JSONValue, String) in [
        ("name", " ", "invalid_name"), ("timeZone", "Mars/Olympus", "unknown_time_zone"),
        ("password", "1234567", "invalid_password"),
      ] {
        try await world.refuses(
          call.with { $0.json = JSONValue.object([]).setting(name, to: value) }, 422, [code], name)
      }
    },
    Scenario("many members are added together, or nobody") { world in
      func person(_ email: String, _ more: [(String, JSONValue)] = []) -> JSONValue {
        more.reduce(["email": .string(email), "name": "New", "role": "member"]) { $0.setting($1.0, to: $1.1) }
      }
      let sound = [person("a@home.example", [("personnelNumber", "7")]), person("b@home.example")]
      let faulty =
        sound + [
          person("A@home.example"), person("c@home.example", [("personnelNumber", "7")]), person("nonsense"),
          person("d@home.example", [("name", " ")]), person("e@home.example", [("timeZone", "Mars/Base")]),
          person("f@home.example", [("personnelNumber", "")]), person(world.home.member.email),
        ]
      let codes = [
        nil, nil, "member_exists", "personnel_number_in_use", "invalid_email", "invalid_name",
        "unknown_time_zone",
        "invalid_personnel_number", "member_exists",
      ]
      let call = world.call("createMembers", as: world.home.admin)
      func body(_ people: [JSONValue], dryRun: JSONValue) -> JSONValue {
        ["members": .array(people), "dryRun": dryRun]
      }
      let before = try await Snapshot(of: world.home, in: world)
      let judged = try await world.client.expect(call.with { $0.json = body(faulty, dryRun: true) }, 200)
      let results = judged.json["results"]?.elements ?? []
      world.check(results.map { $0["problem"]?["code"]?.string } == codes, judged.json.text)
      world.check(
        judged.json["created"] == 2 && judged.json["refused"] == 7 && judged.json["dryRun"] == true,
        judged.json.text)
      // The same one by one, but for those that another of them is in the way of.
      for (person, result) in zip(faulty, results).dropFirst(4) {
        let single = try await world.client.send(
          world.call("createMember", as: world.home.admin, body: person))
        world.check(single.json == result["problem"], "alone it is \(single.json.text)")
      }
      let refused = try await world.client.expect(
        call.with { $0.json = body(faulty, dryRun: false) }, 422, code: "bulk_refused")
      world.check(
        refused.json["results"]?.elements.compactMap { $0["index"]?.integer } == Array(2...8),
        refused.json.text)
      try await world.client.expect(call.with { $0.json = body(sound, dryRun: true) }, 200)
      try await world.expectUnchanged(since: before, "by what was refused, or judged only")
      let added = try await world.client.expect(call.with { $0.json = body(sound, dryRun: nil) }, 200)
      world.check(added.json["created"] == 2 && added.json["refused"] == 0, added.json.text)
      let ids = added.json["results"]?.elements.compactMap { $0["member"]?["userId"]?.string } ?? []
      let listed = try await world.pages("listMembers", "members", as: world.home.admin, limit: 2)
      world.check(listed.suffix(2).compactMap { $0["userId"]?.string } == ids, "\(listed.map(\.text))")
      for count in [0, 501] {
        let people = (0..<count).map { person("many\($0)@home.example") }
        try await world.client.expect(
          call.with { $0.json = body(people, dryRun: true) }, 400, code: "invalid_body", comment: "\(count)")
      }
      let people = (0..<500).map { person("many\($0)@home.example") }
      let most = try await world.client.expect(call.with { $0.json = body(people, dryRun: false) }, 200)
      world.check(most.json["created"] == 500, "not 500")
    },
    Scenario("many members are added out of a file, and what is refused has its line") { world in
      func file(_ text: String, type: String = "text/csv", isDryRun: Bool = false) -> Call {
        world.call("createMembers", as: world.home.admin, query: isDryRun ? [("dryRun", "true")] : []).with {
          $0.body = .bytes(Array(text.utf8))
          $0.contentType = type
        }
      }
      let before = try await Snapshot(of: world.home, in: world)
      let spoiled = """
        \u{FEFF}Name;EMail;role;PersonnelNumber;timezone;password;mustChangePassword\r
        "Klein; Dora";dora@home.example;;0042;Asia/Kathmandu;;\r
        ;;;\r
        Cem;cem@home.example;manager;;;a quiet harbour;TRUE\r
        "Eve
        Two";eve@home.example

        """
      let sound = spoiled.replacing("\"Eve\nTwo\"", with: "Eve")
      let faulty = spoiled.replacing("cem@home.example", with: "nobody").replacing("Asia/K", with: "Asia/X")
      let judged = try await world.client.expect(file(faulty, isDryRun: true), 200)
      let results = judged.json["results"]?.elements ?? []
      world.check(results.map { $0["line"]?.integer } == [2, 4, 5], judged.json.text)
      let codes = results.map { $0["problem"]?["code"]?.string }
      world.check(codes == ["unknown_time_zone", "invalid_email", "invalid_name"], judged.json.text)
      let refused = try await world.client.expect(file(faulty), 422, code: "bulk_refused")
      world.check(
        refused.json["results"]?.elements.map { $0["line"]?.integer } == [2, 4, 5], refused.json.text)
      for (text, code, place) in [
        ("", "malformed_csv", "empty"), ("email,name,shoe\n", "malformed_csv", "Column 3"),
        ("email,name,shoe\n", "malformed_csv", "shoe"),
        ("e-mail,nmae\n", "malformed_csv", "name is the nearest"),
        ("mail,E-Mail\n", "malformed_csv", "column email twice"),
        ("email,role\n", "malformed_csv", "no column name"), ("name,email,NAME\n", "malformed_csv", "twice"),
        ("email,name\na@b.example,A,x\n", "malformed_csv", "Line 2"),
        ("email,name\na@b.example,A\nb@b.example,\"B\n", "malformed_csv", "Line 3"),
        (
          "email,name,role\na@b.example,A,\nb@b.example,B,chief\n", "invalid_body",
          "Line 3, role: must be member, manager or admin."
        ),
        (
          "email,name,mustChangePassword\na@b.example,A,yes\n", "invalid_body",
          "Line 2, mustChangePassword: must be"
        ),
        (
          "email,name,mustChangePassword\na@b.example,A,true\n", "invalid_body",
          "Line 2, mustChangePassword: needs"
        ),
        ("email,name\n", "invalid_body", "/members"),
      ] {
        let reply = try await world.client.expect(file(text), 400, code: code, comment: text)
        world.check(reply.json.text.contains(place), "\(reply.json.text) names no \(place)")
      }
      try await world.client.expect(
        file(sound, type: "text/csv; charset=iso-8859-1"), 415, code: "unsupported_media_type")
      try await world.expectUnchanged(since: before, "by what was refused, or judged only")
      let added = try await world.client.expect(file(sound), 200)
      let members = added.json["results"]?.elements.compactMap { $0["member"] } ?? []
      world.check(
        members.map { $0["name"]?.string } == ["Klein; Dora", "Cem", "Eve"]
          && members.map { $0["role"]?.string } == ["member", "manager", "member"], added.json.text)
      world.check(
        members.first?["personnelNumber"] == "0042" && members.first?["timeZone"] == "Asia/Kathmandu",
        added.json.text)
      let logIn: JSONValue = ["email": "cem@home.example", "password": "a quiet harbour"]
      let granted = try await world.client.expect(Call(operationID: "createToken", body: .json(logIn)), 200)
      world.check(granted.json["mustChangePassword"] == true, granted.json.text)
    },
    Scenario("all faulty lines of a file of members are reported, in their order and not without end") {
      world in
      func told(_ text: String, _ code: String) async throws -> (detail: String, errors: [JSONValue]) {
        let call = world.call("createMembers", as: world.home.admin).with {
          $0.body = .bytes(Array(text.utf8))
          $0.contentType = "text/csv"
        }
        let reply = try await world.client.expect(call, 400, code: code, comment: text)
        return (reply.json["detail"]?.string ?? "", reply.json["errors"]?.elements ?? [])
      }
      let before = try await Snapshot(of: world.home, in: world)
      let mixed = try await told(
        """
        Vorname,Nachname,E-Mail,Rolle
        A,One,a@b.example,chief
        B,Two,b@b.example,admin,too much
        C,Three,c@b.example,member
        ,,,member
        D,Four,d@b.example,Boss
        E,"Five",x"y,member
        """, "malformed_csv")
      world.check(
        mixed.errors.map { $0["detail"] } == [
          "Line 2, Rolle: must be member, manager or admin.", "Line 3 has more fields than the first line.",
          "Line 5, E-Mail: is missing.", "Line 5, name: is missing.",
          "Line 6, Rolle: must be member, manager or admin.",
          "Line 7: A quote stands in the middle of a field. A field with quotes has to be quoted itself.",
        ], "\(mixed.errors.map(\.text))")
      world.check(
        mixed.detail == "Line 2, Rolle: must be member, manager or admin. And 5 more.", mixed.detail)
      let columns = try await told("shoe,hat,name,name\n", "malformed_csv")
      world.check(
        columns.errors.map { $0["detail"]?.string?.prefix(10) ?? "" }
          == ["Column 1 o", "Column 2 o", "The first ", "The first "], "\(columns.errors.map(\.text))")
      // In the order of the lines, with any number of digits.
      let rows = (0..<40).map { "p\($0)@b.example,P,chief" }
      let many = try await told((["email,name,role"] + rows).joined(separator: "\n"), "invalid_body")
      world.check(
        many.errors.compactMap { $0["detail"]?.string }
          == (2...21).map {
            "Line \($0), role: must be member, manager or admin."
          }, "\(many.errors.map(\.text))")
      world.check(many.detail.hasSuffix(" And 39 more."), many.detail)
      try await world.expectUnchanged(since: before, "by what was refused")
    },
    Scenario("a file of members may have the parts of names, under the names that programs give them") {
      world in
      let text =
        "Vorname;Nachname;E-Mail-Adresse;Personalnummer\nDora;Müller;dora@home.example;0042\nCem;;cem@home.example;\n"
      let call = world.call("createMembers", as: world.home.admin).with {
        $0.body = .bytes(Array(text.utf8))
        $0.contentType = "text/csv"
      }
      let added = try await world.client.expect(call, 200)
      let members = added.json["results"]?.elements.compactMap { $0["member"] } ?? []
      world.check(
        members.map { $0["name"] } == ["Dora Müller", "Cem"] && members[0]["personnelNumber"] == "0042",
        added.json.text)
      let english = "first name,last name,name,mail\nA,B,Stated,a@b.example\nEve,Graf,,eve@b.example\n"
      let more = try await world.client.expect(call.with { $0.body = .bytes(Array(english.utf8)) }, 200)
      world.check(
        more.json["results"]?.elements.map { $0["member"]?["name"] } == ["Stated", "Eve Graf"], more.json.text
      )
    },
    Scenario("an address is one however it is written, and is shown as it was written") { world in
      func person(_ email: String) -> JSONValue {
        ["email": .string(email), "name": "René", "role": "member", "password": "a quiet harbour"]
      }
      let written = "Rene\u{301}@Bücher.example"
      let added = try await world.client.expect(
        world.call("createMember", as: world.home.admin, body: person(written)), 201)
      world.check(added.json["email"]?.string?.utf8.elementsEqual(written.utf8) == true, added.json.text)
      for other in ["rené@bücher.example", "RENÉ@XN--BCHER-KVA.example", "rene\u{301}@bu\u{308}cher.example"]
      {
        try await world.client.expect(
          world.call("createMember", as: world.home.admin, body: person(other)), 409, code: "member_exists",
          comment: other)
        let logIn: JSONValue = ["email": .string(other), "password": "a quiet harbour"]
        try await world.client.expect(
          Call(operationID: "createToken", body: .json(logIn)), 200, comment: other)
      }
      for (email, words) in [
        ("rené@example.com\u{200B}", "U+200B"), ("mailto:ana@example.com", "\":\""),
        ("ana@example,com", "\",\""),
        ("<ana@example.com>", "\"<\""),
      ] {
        let refused = try await world.client.expect(
          world.call("createMember", as: world.home.admin, body: person(email)), 422, code: "invalid_email")
        world.check(refused.json["detail"]?.string?.contains(words) == true, refused.json.text)
      }
    },
    Scenario("a file of members is read as a spreadsheet saves it") { world in
      let text = "sep=;\r\nE-Mail;Full Name;Staff number\r\ndora@home.example;Dora Müller;0042\r\n"
      let windows: [UInt8] = text.unicodeScalars.map { UInt8($0.value) }
      let utf16: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      for (bytes, charset) in [
        (windows, ""), (windows, "; charset=Windows-1252"), (utf16, "; charset=\"utf-16\""),
        (Array(text.utf8), "; charset=utf-8"),
      ] {
        let call = world.call("createMembers", as: world.home.admin, query: [("dryRun", "true")]).with {
          $0.body = .bytes(bytes)
          $0.contentType = "text/csv\(charset)"
        }
        let reply = try await world.client.expect(call, 200, comment: charset)
        let member = reply.json["results"]?.elements.first?["member"] ?? .null
        world.check(
          member["name"] == "Dora Müller" && member["email"] == "dora@home.example"
            && member["personnelNumber"] == "0042", reply.json.text)
      }
    },
    Scenario("a one-time password is one that is stated") { world in
      let path = ["userId": world.home.member.userID]
      let once: JSONValue = ["mustChangePassword": true]
      let person: JSONValue = ["email": "once@home.example", "name": "P", "role": "member"]
      let new = person.setting("mustChangePassword", to: true)
      for call in [
        world.call("updateMember", as: world.home.admin, path: path, body: once, ifMatch: "*"),
        world.call("createMember", as: world.home.admin, body: new),
        world.call("createMembers", as: world.home.admin, body: ["members": .array([new])]),
      ] {
        let reply = try await world.client.expect(
          call, 400, code: "invalid_body", comment: call.operationID)
        world.check(reply.json.text.contains("needs password"), reply.json.text)
      }
      for word: JSONValue in [false, nil] {
        let body = person.setting("mustChangePassword", to: word)
        try await world.client.expect(
          world.call(
            "createMembers", as: world.home.admin, body: ["members": .array([body]), "dryRun": true]),
          200, comment: word.text)
      }
    },
    Scenario("several of many members may have passwords, which have the rules of one") { world in
      let call = world.call("createMembers", as: world.home.admin)
      func people(_ count: Int, _ password: (Int) -> JSONValue) -> JSONValue {
        let people = (0..<count).map { number -> JSONValue in
          [
            "email": .string("many\(number)@home.example"), "name": "P", "role": "member",
            "password": password(number),
          ]
        }
        return ["members": .array(people)]
      }
      let away = try await world.makeTenant("away")
      let faulty = people(4) { ["short", "many1@home.example", "a quiet harbour", .null][$0] }
      let taken: JSONValue = [
        "email": .string(away.member.email), "name": "P", "role": "member", "password": "a quiet harbour",
      ]
      let body: JSONValue = ["members": .array((faulty["members"]?.elements ?? []) + [taken])]
      for isDryRun in [true, false] {
        let reply = try await world.client.expect(
          call.with { $0.json = body.setting("dryRun", to: .bool(isDryRun)) }, anyOf: [isDryRun ? 200 : 422],
          codes: isDryRun ? [] : ["bulk_refused"], comment: "dry run \(isDryRun)")
        let codes = reply.json["results"]?.elements.compactMap { $0["problem"]?["code"]?.string }
        world.check(codes == ["invalid_password", "password_too_common", "email_in_use"], reply.json.text)
      }
      try await world.client.expect(
        call.with { $0.json = people(26) { _ in "a quiet harbour" } }, 400, code: "invalid_body")
      try await world.client.expect(
        call.with { $0.json = people(26) { $0 < 3 ? "a quiet harbour" : .null } }, 200)
      for number in 0..<3 {
        let logIn: JSONValue = [
          "email": .string("many\(number)@home.example"), "password": "a quiet harbour",
        ]
        try await world.client.expect(Call(operationID: "createToken", body: .json(logIn)), 200)
      }
    },
    Scenario("members are found by name, address and activity") { world in
      let sita = try await world.makePerson("sita@home.example")
      let update = world.call(
        "updateMember", as: world.home.admin, path: ["userId": sita.userID], body: ["name": "Śītā Rāi"],
        ifMatch: "*")
      try await world.client.expect(update, 200)
      try await world.deactivate(sita)
      func found(_ query: [(name: String, value: String)]) async throws -> [String] {
        try await world.pages("listMembers", "members", as: world.home.manager, limit: 1, query: query)
          .compactMap { $0["userId"]?.string }
      }
      world.check(try await found([("search", "śĪTĀ")]) == [sita.userID], "by name")
      world.check(try await found([("search", "SITA@home")]) == [sita.userID], "by address")
      world.check(try await found([("search", "home.example rāi")]) == [sita.userID], "by two words")
      world.check(try await found([("search", "rāi"), ("active", "true")]).isEmpty, "a deactivated one")
      world.check(try await found([("active", "false")]) == [sita.userID], "by activity")
      let active = try await found([("active", "true")])
      world.check(active.count == 3 && !active.contains(sita.userID), "\(active)")
      for bad in ["", "%20%09", String(repeating: "a", count: 201)] {
        let value = bad.replacing("%20%09", with: " \t")
        let call = world.call("listMembers", as: world.home.manager, query: [("search", value)])
        try await world.client.expect(call, 400, code: "invalid_parameter", comment: bad)
      }
    },
    Scenario("members are listed in pages, each once") { world in
      let all = try await world.pages("listMembers", "members", as: world.home.manager, limit: 1)
      let ids = all.compactMap { $0["userId"]?.string }
      let home = world.home
      world.check(ids == [home.admin.userID, home.manager.userID, home.member.userID], "listed \(ids)")
    },
  ]
}

extension World {
  /// All items of a list, read page by page.
  func pages(
    _ operationID: String, _ member: String, as person: Person, limit: Int,
    path: [String: String] = [:], query: [(name: String, value: String)] = []
  ) async throws -> [JSONValue] {
    var items: [JSONValue] = []
    var cursor: String?
    repeat {
      var call = call(operationID, as: person, path: path, query: query + [("limit", String(limit))])
      if let cursor { call.query.append(("cursor", cursor)) }
      let reply = try await client.expect(call, 200, comment: "page")
      let page = reply.json[member]?.elements ?? []
      check(page.count <= limit, "\(operationID) answered \(page.count) items, not \(limit)")
      items += page
      cursor = reply.json["nextCursor"]?.string
    } while cursor != nil && items.count < 1_000
    return items
  }
}
