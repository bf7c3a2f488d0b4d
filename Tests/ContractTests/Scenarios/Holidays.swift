@testable import ContractDocument

extension Fixture {
  /// Holidays of calendars.
  static let holidays = Fixture(
    scenarios: Scenario.holidays,
    baselines: [
      "listHolidays": { world, call in try await world.putHoliday(&call) },
      "putHoliday": { world, call in
        call.path["holidayCalendarId"] = try await world.makeCalendar()
        call.path["date"] = "2027-05-27"
      },
      "importHolidays": { world, call in call.path["holidayCalendarId"] = try await world.makeCalendar() },
      "deleteHoliday": { world, call in try await world.putHoliday(&call) },
    ],
    foreignIDs: { world, away in
      let calendar = try await world.makeCalendar(in: away)
      for date in ["2026-12-25", "2026-12-26"] { try await world.put(date, in: calendar, of: away) }
      return ["holidayCalendarId": calendar]
    })
}

extension Scenario {
  fileprivate static let holidays: [Scenario] = [
    Scenario("a holiday is put on its date, listed by date, and taken away") { world in
      let calendar = try await world.makeCalendar()
      func put(_ date: String, _ body: JSONValue) -> Call {
        world.call(
          "putHoliday", as: world.home.admin, path: ["holidayCalendarId": calendar, "date": date], body: body)
      }
      let christmas = try await world.client.expect(put("2026-12-25", ["name": " Christmas "]), 200)
      let eve = try await world.client.expect(put("2026-12-24", ["name": "Eve", "percent": 50]), 200)
      world.check(
        christmas.json["name"] == "Christmas" && christmas.json["percent"] == 100
          && christmas.json["date"] == "2026-12-25" && christmas.json["calendarId"] == .string(calendar),
        christmas.json.text)
      let same = try await world.client.expect(put("2026-12-24", ["name": "Eve", "percent": 50]), 200)
      world.check(same.json == eve.json && same.etag == eve.etag, "a request sent again changes something")
      let path = ["holidayCalendarId": calendar]
      let list = world.call("listHolidays", as: world.home.member, path: path)
      let all = try await world.client.expect(list, 200)
      world.check(all.json["holidays"]?.elements == [eve.json, christmas.json], all.json.text)
      let some = try await world.client.expect(
        list.with { $0.query = [(name: "startDate", value: "2026-12-25")] }, 200)
      world.check(some.json["holidays"]?.elements == [christmas.json], some.json.text)
      try await world.client.expect(
        list.with {
          $0.query = [(name: "startDate", value: "2026-12-25"), (name: "endDate", value: "2026-12-24")]
        }, 422, code: "invalid_date_range")
      let delete = world.call(
        "deleteHoliday", as: world.home.admin, path: ["holidayCalendarId": calendar, "date": "2026-12-24"])
      try await world.client.expect(delete, 204)
      try await world.client.expect(delete, 404, code: "holiday_not_found")
      let left = try await world.client.expect(list, 200)
      world.check(left.json["holidays"]?.elements == [christmas.json], left.json.text)
    },
    Scenario("names, percents and dates of holidays keep their rules") { world in
      let calendar = try await world.makeCalendar()
      for (body, code) in [
        (["name": " "], "invalid_name"), (["name": "a\nb"], "invalid_name"),
        (["name": "A", "percent": 0], "invalid_percent"), (["name": "A", "percent": 101], "invalid_percent"),
      ] as [(JSONValue, String)] {
        let call = world.call(
          "putHoliday", as: world.home.admin, path: ["holidayCalendarId": calendar, "date": "2026-12-25"],
          body: body)
        try await world.refuses(call, 422, [code], body.text)
      }
      for operation in ["putHoliday", "deleteHoliday"] {
        for date in ["2026-02-29", "20261225", "x"] {
          let call = world.call(
            operation, as: world.home.admin, path: ["holidayCalendarId": calendar, "date": date],
            body: operation == "putHoliday" ? ["name": "A"] : nil)
          try await world.refuses(call, 404, ["holiday_not_found"], date)
        }
      }
    },
    Scenario("holidays of a preset and of a file are imported, and again change nothing") { world in
      let calendar = try await world.makeCalendar()
      let presets = try await world.client.expect(
        world.call("listHolidayPresets", as: world.home.member), 200)
      let bavaria = presets.json["holidayPresets"]?.elements.first { $0["id"] == "DE-BY" }
      world.check(bavaria?["lastYear"] == 2028, presets.json.text)
      let call = world.call("importHolidays", as: world.home.admin, path: ["holidayCalendarId": calendar])
      let preset = call.with { $0.json = ["preset": "DE-BY", "year": 2027] }
      let first = try await world.client.expect(preset, 200)
      let again = try await world.client.expect(preset, 200)
      world.check(
        first.json["updated"] == 0 && again.json["created"] == 0
          && again.json["unchanged"] == first.json["created"],
        again.json.text)
      for body in [["preset": "XX", "year": 2027], ["preset": "DE-BY", "year": 2099]] as [JSONValue] {
        try await world.client.expect(call.with { $0.json = body }, 422, code: "holiday_preset_not_found")
      }
      let text = """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        DTSTART;VALUE=DATE:20270527
        SUMMARY:Fair
        END:VEVENT
        BEGIN:VEVENT
        DTSTART;VALUE=DATE:20200815
        RRULE:FREQ=YEARLY
        SUMMARY:Summer
        END:VEVENT
        END:VCALENDAR

        """
      let file = call.with {
        $0.body = .bytes(Array(text.utf8))
        $0.contentType = "text/calendar; charset=utf-8"
        $0.query = [(name: "startDate", value: "2027-01-01"), (name: "endDate", value: "2027-08-15")]
      }
      let taken = try await world.client.expect(file, 200)
      world.check(taken.json == ["created": 1, "updated": 1, "unchanged": 0], taken.json.text)
      let list = world.call("listHolidays", as: world.home.member, path: ["holidayCalendarId": calendar])
      let all = try await world.client.expect(list, 200).json["holidays"]?.elements ?? []
      let fair = all.first { $0["date"] == "2027-05-27" }
      world.check(fair?["name"] == "Fair" && fair?["percent"] == 100, "no fair")
      let broken = file.with { $0.body = .bytes(Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:x\n".utf8)) }
      let refused = try await world.client.expect(broken, 400, code: "malformed_calendar")
      world.check(refused.json["detail"]?.string?.contains("Line") == true, refused.json.text)
      try await world.client.expect(
        file.with {
          $0.query = [(name: "startDate", value: "2027-02-01"), (name: "endDate", value: "2027-01-01")]
        },
        422, code: "invalid_date_range")
      let audit = try await world.client.expect(
        world.call(
          "listAuditLog", as: world.home.admin, query: [(name: "operation", value: "importHolidays")]), 200)
      world.check(audit.json["changes"]?.elements.first?["resource"] == "holiday", audit.json.text)
    },
    Scenario("a calendar has at most 2000 holidays") { world in
      let calendar = try await world.makeCalendar()
      let dates = (1900..<2010).flatMap { year in (10...28).map { "\(year)-05-\($0)" } }
      for date in dates.prefix(2_000) { try await world.put(date, in: calendar, of: world.home) }
      let path = ["holidayCalendarId": calendar, "date": "2026-12-25"]
      let more = world.call("putHoliday", as: world.home.admin, path: path, body: ["name": "One more"])
      try await world.refuses(more, 409, ["too_many_holidays"], "one more")
      let year = world.call(
        "importHolidays", as: world.home.admin, path: ["holidayCalendarId": calendar],
        body: ["preset": "US", "year": 2027])
      try await world.refuses(year, 409, ["too_many_holidays"], "a year more")
    },
  ]
}

extension World {
  fileprivate func makeCalendar(in tenant: Tenant? = nil) async throws -> String {
    let tenant = tenant ?? home
    let new = call("createHolidayCalendar", as: tenant.admin, in: tenant, body: ["name": "Bavaria"])
    return try World.text(try await client.expect(new, 201).json["id"])
  }

  fileprivate func put(_ date: String, in calendar: String, of tenant: Tenant) async throws {
    let path = ["holidayCalendarId": calendar, "date": date]
    try await client.expect(
      call("putHoliday", as: tenant.admin, in: tenant, path: path, body: ["name": "Christmas"]), 200)
  }

  /// Puts the holiday that a call is about.
  fileprivate func putHoliday(_ call: inout Call) async throws {
    call.path["holidayCalendarId"] = try await makeCalendar()
    if call.operationID != "listHolidays" { call.path["date"] = "2026-12-25" }
    try await put("2026-12-25", in: call.path["holidayCalendarId"] ?? "", of: home)
  }
}
