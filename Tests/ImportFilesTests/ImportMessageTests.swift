import Testing
import TimeclockDomain

@testable import ImportFiles

@Suite("What a refusal says of a file")
struct ImportMessageTests {
  private static func details(
    _ text: String, _ format: ImportFormat, _ projects: ImportProjects = .notes
  ) throws -> [String] {
    let options = ImportFileOptions(format: format, dayStart: DayStart("09:00"), projects: projects)
    return try ImportFileReader.lines(of: Array(text.utf8), options).map { line in
      switch line.row {
      case .success: "taken"
      case .failure(let refusal): refusal.detail
      }
    }
  }

  @Test("A column is called as in the file, and the wrong text is named")
  func columns() throws {
    let text = """
      Start ,END,Billable
      2026-10-15 25:00,2026-10-15 12:00,
      2026-10-15 08:00,noon,
      ,2026-10-15 12:00,
      2026-10-15 08:00,2026-10-15 12:00,maybe
      2026-10-15 08:00,2026-10-15 12:00,yes
      """
    let form = "which is no time such as 2026-11-20T09:00:00Z or 2026-11-20 09:00."
    #expect(
      try Self.details(text, .generic) == [
        "The column \"Start\" says \"2026-10-15 25:00\", \(form)",
        "The column \"END\" says \"noon\", \(form)",
        "The column \"Start\" is empty.", "taken", "taken",
      ])
    let service = """
      Start date,Start time,End date,End time,Project,Billable
      45/45/2026,09:00,2026-10-15,10:00,Kitchen,No
      2026-10-15,9,2026-10-15,10:00,Kitchen,No
      2026-10-15,09:00,2026-10-15,10:00,Kitchen,Maybe
      """
    #expect(
      try Self.details(service, .toggl, .create) == [
        "The column \"Start date\" says \"45/45/2026\", which is no date such as 2026-11-20.",
        "The column \"Start time\" says \"9\", which is no time of day such as 09:30 or 9:30 AM.",
        "The column \"Billable\" says \"Maybe\", and has to say yes or no.",
      ])
  }

  @Test("A text that is quoted is short, and one line")
  func quotes() throws {
    let long = String(repeating: "x", count: 300)
    let text = "start,end\n\(long),2026-10-15 12:00\n\"\u{202E}a\nb\u{7}\",2026-10-15 12:00\n"
    let details = try Self.details(text, .generic)
    #expect(details[0].contains("\"\(long.prefix(80))…\""))
    #expect(details[1].contains("\"?a?b?\""))
    let header = "start,end,\(long),\(long)x\n"
    #expect(throws: Never.self) { try Self.details(header, .generic) }
    let error = #expect(throws: ImportFileError.self) { try Self.details("start,START,end\n", .generic) }
    #expect(error == .malformed("The first line has the column \"start\" twice."))
  }
}
