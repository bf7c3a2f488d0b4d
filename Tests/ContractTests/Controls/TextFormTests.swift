import Testing

@testable import ContractDocument

/// The faults that the checks of texts must find.
struct TextFormTests {
  @Test(
    "a text of its form is in order, another is not",
    arguments: [
      (.csv, "a,b\r\n", true), (.csv, "a,b\r\n\"x,\"\"y\"\"\r\nz\",\r\n", true), (.csv, "", false),
      (.csv, "a,b\n", false), (.csv, "a,b", false), (.csv, "a,b\r\nc\r\n", false), (.csv, "a\"b\r\n", false),
      (.csv, "\"a\"b\r\n", false), (.csv, "\"a\r\n", false),
      (.ndjson, "", true), (.ndjson, "{\"ok\":1}\n{\"ok\":1}\n", true), (.ndjson, "{\"ok\":1}", false),
      (.ndjson, "{\"ok\":1}\n\n", false), (.ndjson, "{\"ok\":1},\n", false),
      (.ndjson, "{\"bad\":1}\n", false),
      (.calendar, "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", true),
      (.calendar, "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n 2\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", true),
      (.calendar, "", false), (.calendar, "BEGIN:VCALENDAR\nEND:VCALENDAR\n", false),
      (.calendar, "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\n", false),
      (
        .calendar, "BEGIN:VCALENDAR\r\nUID:" + String(repeating: "é", count: 36) + "\r\nEND:VCALENDAR\r\n",
        false
      ),
      (.events, ": alive\nid: 7.0f1e2d3c4b5a6978\n\nretry: 5\n\n", true),
      (.events, "id: 7.0f1e2d3c4b5a6978\nevent: change\ndata: {\"ok\":1,\"sequence\":7}\n\n", true),
      (.events, "id: 7.0f1e2d3c4b5a6978\nevent: change\ndata: {\"ok\":1,\"sequence\":8}\n\n", false),
      (.events, "id: 7.0f1e2d3c4b5a6978\nevent: change\ndata: {\"bad\":1,\"sequence\":7}\n\n", false),
      (.events, "id: 7\nevent: change\ndata: {\"ok\":1,\"sequence\":7}\n\n", false),
      (.events, "event: change\ndata: {\"ok\":1,\"sequence\":7}\n\n", false),
      (.events, "id: 7.0f1e2d3c4b5a6978\nevent: change\ndata: {\"ok\":1,\"sequence\":7}\n", false),
      (.events, "id: 7.0f1e2d3c4b5a6978\ndata: {\"ok\":1,\"sequence\":7}\n\n", false),
    ] as [(TextForm, String, Bool)])
  func violations(_ form: TextForm, _ text: String, _ isInOrder: Bool) {
    let found = form.violations(of: Array(text.utf8)) { $0["ok"] == .integer(1) ? [] : ["another line"] }
    #expect(found.isEmpty == isInOrder, "\(found)")
  }
}
