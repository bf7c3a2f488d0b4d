import Foundation
import Testing
import TimeclockDomain

@testable import ImportFiles

@Suite("What time was for, in files of other services")
struct ImportPurposeTests {
  /// The rows of a sample that are read, in words.
  struct Case: CustomTestStringConvertible, Sendable {
    var file: String
    var format: ImportFormat
    var dayStart: String?
    var rows: [String]
    var testDescription: String { file }
  }

  static let cases = [
    Case(
      file: "toggl.csv", format: .toggl,
      rows: [
        "2 Harbour Café|Kitchen||Night shift||no: Night shift",
        "3 -: Stock, \"dry\" goods [inventory, monthly]",
        "4 Harbour Café|Front of house|Opening|||yes: ", "5 -: Two\nlines", "7 -: Started by mistake",
        "9 -: Overlaps the first",
      ]),
    Case(
      file: "toggl_no_address.csv", format: .toggl,
      rows: [
        "2 |Kitchen||Stock||-: Stock", "3 -: Harbour Café",
        "4 Harbour Café|Kitchen||Night shift||-: Night shift", "11 -: ", "12 -: ",
      ]),
    Case(
      file: "clockify_12_hours.csv", format: .clockify,
      rows: [
        "2 Harbour Café|Kitchen||Breakfast|early+weekend|yes: Breakfast",
        "3 Harbour Café|Kitchen||Midnight to noon, no break||no: Midnight to noon, no break", "4 -: ",
      ]),
    Case(
      file: "harvest.csv", format: .harvest,
      rows: [
        "2 Harbour Café|Kitchen|Cooking|Soup, and bread||yes: Soup, and bread",
        "3 Harbour Café|Kitchen|Cooking|||yes: ", "5 Harbour Café|Kitchen|Cooking|||no: ",
      ]),
    Case(
      file: "harvest_hours.csv", format: .harvest, dayStart: "09:00",
      rows: [
        "2 Harbour Café|Kitchen|Cooking|Soup||yes: Soup", "3 Harbour Café|Kitchen|Baking|||yes: ",
        "4 Harbour Café|Kitchen|Planning|Menu||no: Menu", "5 Harbour Café|Kitchen|Cooking|||yes: ",
        "7 Harbour Café|Kitchen|Cooking|||yes: ",
      ]),
    Case(
      file: "kimai_de.csv", format: .kimai,
      rows: ["2 Hafencafé|Küche|Kochen|Suppe; Brot||-: Suppe; Brot"]),
    Case(
      file: "solidtime.csv", format: .solidtime,
      rows: ["2 Harbour Café|Kitchen|Cooking|Prep|early+weekday|yes: Prep", "3 -: "]),
    Case(
      file: "solidtime_export.csv", format: .solidtime, rows: ["2 -: Dough, early", "3 -: "]),
    Case(
      file: "generic_aliases.csv", format: .generic,
      rows: ["2 |Küche||Aufräumen||-: Aufräumen", "3 -: Spülen [abends]"]),
  ]

  @Test("A row with a project or a task says it, and has its description as notes", arguments: cases)
  func purposes(_ example: Case) throws {
    let options = ImportFileOptions(
      format: example.format, dayStart: example.dayStart.flatMap { DayStart($0) }, projects: .create)
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples")
    let bytes = Array(try Data(contentsOf: folder.appending(path: example.file)))
    let lines = try ImportFileReader.lines(of: bytes, options)
    let rows = lines.compactMap { line in (try? line.row.get()).map { Self.words(line.line, $0) } }
    #expect(rows == example.rows)
  }

  @Test(
    "Whether time is billable is said in the language of the export, and not guessed",
    arguments: [
      ("Yes", "yes"), ("no", "no"), ("JA", "yes"), ("Nein", "no"), ("true", "yes"), ("0", "no"), ("", "-"),
      ("perhaps", nil), ("2", nil),
    ] as [(String, String?)])
  func billable(_ word: String, _ expected: String?) throws {
    let text = "start,end,project,billable\n2026-10-16 08:00,2026-10-16 12:00,P,\(word)\n"
    for projects in ImportProjects.allCases {
      let lines = try ImportFileReader.lines(
        of: Array(text.utf8), ImportFileOptions(format: .generic, projects: projects))
      let line = try #require(lines.first)
      switch line.row {
      case .success(let row) where projects == .notes: #expect(row.purpose == nil && row.notes == "P")
      case .success(let row): #expect(expected.map { "2 |P||||\($0): " } == Self.words(2, row))
      case .failure(let refusal):
        #expect(refusal.code == "row_malformed" && expected == nil && projects == .create)
      }
    }
  }

  private static func words(_ line: Int, _ row: ImportRow) -> String {
    let notes = row.notes ?? ""
    guard let purpose = row.purpose else { return "\(line) -: \(notes)" }
    let billable = purpose.isBillable.map { $0 ? "yes" : "no" } ?? "-"
    let words = [
      purpose.client, purpose.project, purpose.task, purpose.description,
      purpose.tags.joined(separator: "+"), billable,
    ]
    return "\(line) \(words.joined(separator: "|")): \(notes)"
  }
}
