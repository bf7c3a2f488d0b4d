import Foundation
import Testing
import TimeclockDomain

@testable import ImportFiles

@Suite("Files of other services")
struct ImportFormatTests {
  /// The words of an expected row.
  struct Case: CustomTestStringConvertible, Sendable {
    var file: String
    var format: ImportFormat
    var dateOrder: DateOrder?
    var dayStart: String?
    var rows: [String]
    var options: ImportFileOptions {
      ImportFileOptions(format: format, dateOrder: dateOrder, dayStart: dayStart.flatMap { DayStart($0) })
    }
    var testDescription: String { "\(file) \(dateOrder?.rawValue ?? "")" }
  }

  static let aliases = [
    "2 ana@example.com (Ana Gómez) 2026-10-05 18:00:00 to 2026-10-05 19:30:00, 5400 s: Küche: Aufräumen",
    "3 bo@example.com (Bo Adler) 2026-10-05 18:00:00 for 4500 s, 4500 s: Spülen [abends]",
  ]

  static let cases = [
    Case(
      file: "toggl.csv", format: .toggl,
      rows: [
        "2 ana@example.com (Ana Gómez) 2026-10-24 22:00:00 to 2026-10-25 06:00:00, 32400 s: Harbour Café / Kitchen: Night shift",
        "3 ana@example.com (Ana Gómez) 2026-10-26 08:00:00 to 2026-10-26 12:15:30, 15330 s: Stock, \"dry\" goods [inventory, monthly]",
        "4 BO@Example.com (Bo Adler) 2026-10-26 07:30:00 to 2026-10-26 15:30:00, 28800 s: Harbour Café / Front of house / Opening",
        "5 bo@example.com (Bo Adler) 2026-10-27 07:30:00 to 2026-10-27 11:00:00, 12600 s: Two\nlines",
        "7 bo@example.com (Bo Adler) 2026-10-27 12:00:00 to 2026-10-27 12:00:00, 0 s: Started by mistake",
        "8 entry_active",
        "9 bo@example.com (Bo Adler) 2026-10-26 15:00:00 to 2026-10-26 16:00:00, 3600 s: Overlaps the first",
      ]),
    Case(
      file: "toggl_no_address.csv", format: .toggl,
      rows: [
        "2 Ana Gómez 2026-10-13 08:00:00 to 2026-10-13 12:00:00, 14400 s: Kitchen: Stock",
        "3 Ana Gómez 2026-10-13 13:00:00 to 2026-10-13 14:30:00, 5400 s: Harbour Café",
        "4 Ana Gómez 2026-10-24 22:00:00 to 2026-10-25 06:00:00, 32400 s: Harbour Café / Kitchen: Night shift",
        "5 entry_active", "6 entry_active", "7 row_malformed", "8 row_malformed", "9 row_malformed",
        "11 bo@example.com (-) 2026-10-14 13:00:00 to 2026-10-14 14:00:00, 3600 s: ",
        "12 - 2026-10-14 15:00:00 to 2026-10-14 16:00:00, 3600 s: ",
      ]),
    Case(
      file: "clockify_12_hours.csv", format: .clockify,
      rows: [
        "2 ana@example.com (Ana Gómez) 2026-10-17 06:00:00 to 2026-10-17 12:30:00, 23400 s: Harbour Café / Kitchen: Breakfast [early, weekend]",
        "3 bo@example.com (Bo Adler) 2026-10-18 00:00:00 to 2026-10-18 12:00:00, 43200 s: Harbour Café / Kitchen: Midnight to noon, no break",
        "4 bo@example.com (Bo Adler) 2026-11-02 23:00:00 to 2026-11-03 01:00:00, 7200 s: ",
      ]),
    Case(
      file: "clockify_24_hours.csv", format: .clockify,
      rows: [
        "2 ana@example.com (Ana Gómez) 2026-10-17 06:00:00 to 2026-10-17 12:30:00, 23400 s: Hafencafé / Küche: Vorbereitung",
        "3 bo@example.com (Bo Adler) 2026-10-25 02:30:00 to 2026-10-25 04:00:00, 9000 s: Hafencafé / Küche: Sommerzeit; zurück",
        "4 cem@example.com (Cem Kaya) 2026-10-25 02:30:00 to 2026-10-25 04:00:00, 5400 s: Hafencafé / Küche: Zweite Stunde",
        "5 cem@example.com (Cem Kaya) 2026-10-25 02:10:00 to 2026-10-25 02:20:00, 18000 s: Hafencafé / Küche: Passt zu keiner",
        "6 cem@example.com (Cem Kaya) 2026-03-29 02:30:00 to 2026-03-29 05:00:00, 5400 s: Hafencafé / Küche: Übersprungen",
      ]),
    Case(
      file: "clockify_breaks.csv", format: .clockify,
      rows: [
        "2 ana@example.com (Ana Gómez) 2026-10-12 09:00:00 to 2026-10-12 12:00:00, 10800 s: Harbour Café / Kitchen: Lunch service",
        "3 rest ana@example.com (Ana Gómez) 2026-10-12 12:00:00 to 2026-10-12 12:30:00, 1800 s: Harbour Café / Kitchen",
        "4 ana@example.com (Ana Gómez) 2026-10-12 12:30:00 to 2026-10-12 17:00:00, 16200 s: Harbour Café / Kitchen: Dinner",
        "5 timeOff bo@example.com (Bo Adler) 2026-10-13 09:00:00 to 2026-10-13 17:00:00, 28800 s: Vacation",
        "6 not_work", "7 row_malformed",
      ]),
    Case(
      file: "clockify_unclear.csv", format: .clockify, dateOrder: .dayFirst,
      rows: ["2 ana@example.com (Ana Gómez) 2026-04-03 06:00:00 to 2026-04-03 12:30:00, 23400 s: Kitchen"]),
    Case(
      file: "clockify_unclear.csv", format: .clockify, dateOrder: .monthFirst,
      rows: ["2 ana@example.com (Ana Gómez) 2026-03-04 06:00:00 to 2026-03-04 12:30:00, 23400 s: Kitchen"]),
    Case(
      file: "harvest.csv", format: .harvest,
      rows: [
        "2 Ana Gómez 2026-10-19 08:00:00 until 15:30:00, 27000 s: Harbour Café / Kitchen / Cooking: Soup, and bread",
        "3 Ana Gómez 2026-10-20 22:00:00 until 02:00:00, 14400 s: Harbour Café / Kitchen / Cooking",
        "4 time_missing",
        "5 Nobody Here 2026-10-21 09:00:00 until 12:00:00, 10800 s: Harbour Café / Kitchen / Cooking",
      ]),
    Case(
      file: "harvest_hours.csv", format: .harvest, dayStart: "09:00",
      rows: [
        "2 Ana Gómez 2026-10-05 09:00:00 + 0 s for 9000 s: Harbour Café / Kitchen / Cooking: Soup",
        "3 Bo Adler 2026-10-05 09:00:00 + 0 s for 4500 s: Harbour Café / Kitchen / Baking",
        "4 Ana Gómez 2026-10-05 09:00:00 + 9000 s for 2700 s: Harbour Café / Kitchen / Planning: Menu",
        "5 Ana Gómez 2026-10-06 09:00:00 + 0 s for 14400 s: Harbour Café / Kitchen / Cooking",
        "6 row_malformed",
        "7 Ana Gómez 2026-10-06 09:00:00 + 14400 s for 0 s: Harbour Café / Kitchen / Cooking",
      ]),
    Case(
      file: "harvest_hours.csv", format: .harvest,
      rows: (2...7).map { "\($0) time_missing" }),
    Case(
      file: "timetagger_report.csv", format: .timetagger,
      rows: [
        "6 - 2026-10-08 06:00:00 until 10:30:00, 16200 s: Baking \"by hand\" #kitchen",
        "7 - 2026-10-08 22:00:00 until 01:15:00, 11700 s: Night, #kitchen", "8 entry_active",
        "9 row_malformed",
      ]),
    Case(
      file: "kimai.csv", format: .kimai,
      rows: [
        "2 ana@example.com (Ana Gómez) 2026-10-07 08:00:00 until 12:00:00, 14400 s: Harbour Café / Kitchen / Cooking: Soup, bread [early, weekday]",
        "3 ana@example.com (Ana Gómez) 2026-10-07 22:00:00 until 01:30:00, 12600 s: Harbour Café / Kitchen / Cooking",
        "4 bo@example.com (Bo Adler) 2026-10-08 08:00:00 until 16:00:00, 27000 s less 1800 s: Harbour Café / Kitchen / Baking",
        "5 timeOff bo@example.com (Bo Adler) 2026-10-09 08:00:00 until 16:00:00, 28800 s: Harbour Café",
        "6 not_work", "7 entry_active",
        "8 bo@example.com (Bo Adler) 2026-10-09 10:00:00 until 11:00:00, 90000 s: Harbour Café / Kitchen / Baking: A day and an hour",
      ]),
    Case(
      file: "kimai_de.csv", format: .kimai,
      rows: [
        "2 Ana Gómez 2026-10-05 14:00:00 until 16:15:00, 8100 s: Hafencafé / Küche / Kochen: Suppe; Brot"
      ]),
    Case(
      file: "solidtime.csv", format: .solidtime,
      rows: [
        "2 Ana Gómez 2026-10-06 14:00:00 to 2026-10-06 16:30:15, 9015 s: Harbour Café / Kitchen / Cooking: Prep [early, weekday]",
        "3 Ana Gómez 2026-10-06 17:00:00 to 2026-10-06 17:30:00, 1800 s: ", "4 entry_active",
      ]),
    Case(
      file: "solidtime_export.csv", format: .solidtime,
      rows: [
        "2 id 3b8f8a52-0000-4000-8000-000000000002 2026-10-09T04:00:00.000Z to 2026-10-09T06:30:00.000Z: Dough, early",
        "3 rest id 3b8f8a52-0000-4000-8000-000000000002 2026-10-09T06:30:00.000Z to 2026-10-09T07:00:00.000Z: ",
      ]),
    Case(file: "generic_aliases.csv", format: .generic, rows: aliases),
    Case(
      file: "timetagger.tsv", format: .timetagger,
      rows: [
        "2 - 2026-10-22T06:00:00.000Z to 2026-10-22T10:30:00.000Z: Baking \"by hand\" #kitchen",
        "3 - 2026-10-22 13:00:00 to 2026-10-22 16:15:00: Accounts, #office", "4 entry_active",
        "5 entry_active",
      ]),
    Case(
      file: "timetagger.csv", format: .timetagger,
      rows: ["2 - 2026-10-22T06:00:00.000Z to 2026-10-22T10:30:00.000Z: Baking, #kitchen"]),
    Case(
      file: "generic.csv", format: .generic,
      rows: [
        "2 ana@example.com (Ana Gómez) 2026-10-14T06:00:00.000Z to 2026-10-14T10:00:00.000Z: With an offset",
        "3 bo@example.com (Bo Adler) 2026-10-14 08:00:00 to 2026-10-14 12:00:30 Asia/Kathmandu: In a zone\nof its own",
        "5 bo@example.com () 2026-10-15 08:00:00 to 2026-10-15 12:00:00: ",
        "6 dora@example.com () 2026-10-15 08:00:00 to 2026-10-15 12:00:00 Europe/Berlin: ",
        "7 Nobody 2026-10-15 08:00:00 to 2026-10-15 12:00:00: ",
        "8 not an address () 2026-10-15 08:00:00 to 2026-10-15 12:00:00: ", "9 row_malformed",
        "10 row_malformed",
        "11 bo@example.com () 2026-10-17 08:00:00 to 2026-10-17 12:00:00 Mars/Base: ",
      ]),
  ]

  @Test("A file is read row by row, in pieces of any length", arguments: cases)
  func rows(_ example: Case) throws {
    let bytes = try Self.sample(example.file)
    let lines = try ImportFileReader.lines(of: bytes, example.options)
    #expect(lines.map(Self.words) == example.rows)
    var survey = ImportFileSurvey(example.options)
    for byte in bytes { try survey.read([byte]) }
    var reader = ImportFileReader(example.options, try survey.finish())
    var read: [ImportLine] = []
    for byte in bytes { read += try reader.read([byte]) }
    read += try reader.finish()
    #expect(read.map(Self.words) == example.rows)
  }

  @Test(
    "The whole first line determines the delimiter, in pieces of any length",
    arguments: [
      "\"start\";\"stop\";\"a\nb,c,d,e\"\n2026-10-15 08:00;2026-10-15 12:00;x\n",
      "\"a\n\";start;stop\r\nx;2026-10-15 08:00;2026-10-15 12:00\r\n",
    ])
  func delimiterInPieces(_ text: String) throws {
    let bytes = Array(text.utf8)
    func words(_ pieces: [[UInt8]]) throws -> [String] {
      var reader = ImportFileReader(
        ImportFileOptions(format: .timetagger), ImportFileShape(dateOrder: .dayFirst, isWindows1252: false))
      do {
        return try (pieces.flatMap { try reader.read($0) } + reader.finish()).map(Self.words)
      } catch let error as ImportFileError {
        return [error.detail(.flags)]
      }
    }
    let whole = try words([bytes])
    #expect(whole.count == 1 && whole[0].contains("2026-10-15 08:00:00"), "\(whole)")
    for cut in bytes.indices {
      #expect(try words([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "cut at \(cut)")
    }
  }

  @Test("A refusal of a file names the setting as the command or the operation names it")
  func settingNames() throws {
    let bytes = try Self.sample("clockify_unclear.csv")
    let error = #expect(throws: ImportFileError.self) {
      try ImportFileReader.lines(of: bytes, ImportFileOptions(format: .clockify))
    }
    #expect(error?.detail(.flags).contains("--date-order dmy") == true)
    #expect(error?.detail(.parameters).contains(" dateOrder dmy") == true)
  }

  @Test("A file whose dates have no clear order is refused")
  func unclearOrder() throws {
    let bytes = try Self.sample("clockify_unclear.csv")
    #expect(throws: ImportFileError.self) {
      try ImportFileReader.lines(of: bytes, ImportFileOptions(format: .clockify))
    }
    let header = "User,Email,Start date,Start time,End date,End time\n"
    func dates(_ dates: [String]) throws -> [ImportLine] {
      let rows = dates.map { "A,a@example.com,\($0),09:00,\($0),10:00\n" }.joined()
      return try ImportFileReader.lines(of: Array((header + rows).utf8), ImportFileOptions(format: .toggl))
    }
    // One date determines the order of all; if both readings are the same, the order does not matter.
    #expect(try Self.words(dates(["03/04/2026", "13/04/2026"])[0]).contains("2026-04-03"))
    #expect(try Self.words(dates(["03/04/2026", "04/13/2026"])[0]).contains("2026-03-04"))
    #expect(try Self.words(dates(["03/03/2026"])[0]).contains("2026-03-03"))
    #expect(try Self.words(dates(["03.04.2026"])[0]).contains("2026-04-03"))
    #expect(throws: ImportFileError.self) { try dates(["13/04/2026", "04/13/2026"]) }
    // Text that is not a date in any order determines nothing.
    #expect(try Self.words(dates(["45/45/2026", "13/04/2026"])[0]) == "2 row_malformed")
  }

  @Test(
    "A file without the columns of the format is refused as a whole",
    arguments: ImportFormat.allCases, ["", "\n\n", "a,b\n1,2\n", "\"", "\u{FEFF}", "\0", "email,email\n"])
  func malformed(_ format: ImportFormat, _ text: String) {
    #expect {
      try ImportFileReader.lines(
        of: Array(text.utf8), ImportFileOptions(format: format, dateOrder: .dayFirst))
    } throws: { if case ImportFileError.malformed = $0 { true } else { false } }
  }

  @Test(
    "Only words that are known tell what the time was",
    arguments: [
      ("", .work), ("Regular", .work), ("WORK", .work), ("Break", .rest), ("BREAK", .rest),
      ("Time Off", .timeOff), ("TIME_OFF", .timeOff), ("time-off", .timeOff), ("Holiday", .timeOff),
      ("Pausa", nil), ("Breakfast", nil),
    ] as [(String, ImportRowKind?)])
  func kinds(_ text: String, _ kind: ImportRowKind?) throws {
    #expect(StatedKind.kind(text) == kind)
    let file = "clockInTime,clockOutTime,kind\n2026-10-15 08:00,2026-10-15 12:00,\(text)\n"
    let row = try ImportFileReader.lines(of: Array(file.utf8), ImportFileOptions(format: .generic))[0].row
    #expect((try? row.get())?.kind == kind)
  }

  @Test("A generic file may have dates and times of day in separate columns")
  func separateDates() throws {
    let text = """
      employee,start_date,start_time,end_date,end_time,hours,tz
      Ana Gómez,2026-10-15,22:00,2026-10-17,01:00,27,Asia/Kathmandu
      Ana Gómez,2026-10-18,08:00,,,1.5,
      Ana Gómez,2026-10-19,,,,1.5,
      """
    let lines = try ImportFileReader.lines(of: Array(text.utf8), ImportFileOptions(format: .generic))
    #expect(
      lines.map(Self.words) == [
        "2 Ana Gómez 2026-10-15 22:00:00 to 2026-10-17 01:00:00, 97200 s Asia/Kathmandu: ",
        "3 Ana Gómez 2026-10-18 08:00:00 for 5400 s, 5400 s: ", "4 time_missing",
      ])
    let day = "date;from;to\n20.10.2026;22:00;01:30\n20.10.2026;08:00;12:00\n"
    let rows = try ImportFileReader.lines(of: Array(day.utf8), ImportFileOptions(format: .generic))
    #expect(
      rows.map(Self.words) == [
        "2 - 2026-10-20 22:00:00 until 01:30:00: ",
        "3 - 2026-10-20 08:00:00 until 12:00:00: ",
      ])
  }

  @Test(
    "Dates may stand beside times of any of their names, and hours are what a day begins with only without times"
  )
  func datesBesideTimes() throws {
    func rows(_ text: String) throws -> [String] {
      let options = ImportFileOptions(format: .generic, dayStart: DayStart("07:00"))
      return try ImportFileReader.lines(of: Array(text.utf8), options).map(Self.words)
    }
    #expect(
      try rows(
        """
        start date,start,end,hours
        2026-10-15,09:00,10:00,1
        2026-10-15,22:00,01:00,3
        2026-10-16,2026-10-16 09:00,2026-10-16 10:00,1
        2026-10-16,09:00,,1.5
        2026-10-17,,,1.5
        tomorrow,09:00,10:00,1
        """) == [
          "2 - 2026-10-15 09:00:00 until 10:00:00, 3600 s: ",
          "3 - 2026-10-15 22:00:00 until 01:00:00, 10800 s: ",
          "4 - 2026-10-16 09:00:00 to 2026-10-16 10:00:00, 3600 s: ",
          "5 - 2026-10-16 09:00:00 for 5400 s, 5400 s: ", "6 - 2026-10-17 07:00:00 + 0 s for 5400 s: ",
          "7 row_malformed",
        ])
    #expect(
      try rows("start date,start,end date,end\n2026-10-15,22:00,2026-10-17,01:00\n") == [
        "2 - 2026-10-15 22:00:00 to 2026-10-17 01:00:00: "
      ])
    #expect(
      try rows("start date,start time,stop\n2026-10-15,22:00,01:00\n") == [
        "2 - 2026-10-15 22:00:00 until 01:00:00: "
      ])
  }

  @Test(
    "A row's break is a length, in hours or, where the column says so, in minutes; whole numbers alone are not guessed",
    arguments: [
      ("break", "0:45", 2_700), ("Breaks", "00:30:00", 1_800), ("pause", "0,5", 1_800),
      ("BREAK", "1h", 3_600),
      ("break (min)", "45", 2_700), ("Break_Minutes", "0:45", 2_700), ("pause (min)", "7.5", 450),
      ("break", "45", -1),
      ("break", "1", -1), ("pause", "lunch", -1), ("break (min)", "lunch", -1), ("break", "0", nil),
      ("break", "0:00", nil), ("break (min)", "0", nil), ("break", "", nil), ("coffee", "0:45", nil),
    ] as [(String, String, Int64?)])
  func breaks(_ column: String, _ text: String, _ seconds: Int64?) throws {
    let file = "date;from;to;\(column)\n2026-10-20;08:00;17:00;\(text)\n"
    let row = try ImportFileReader.lines(of: Array(file.utf8), ImportFileOptions(format: .generic))[0].row
    switch row {
    case .success(let row): #expect(row.breakSeconds == seconds)
    case .failure(let refusal): #expect(seconds == -1 && refusal.code == "row_malformed", "\(refusal)")
    }
    // Kimai and others have the break as a length, too.
    let kimai = "Date,From,To,Duration,Break\n2026-10-20,08:00,17:00,8:15,0:45\n"
    let kept = try ImportFileReader.lines(of: Array(kimai.utf8), ImportFileOptions(format: .kimai))[0].row
      .get()
    #expect(kept.breakSeconds == 2_700 && kept.statedSeconds == 29_700)
  }

  @Test("Hours with a break, and without times, take none of the day's hours")
  func hoursWithBreak() throws {
    let file = "date,hours,break\n2026-10-20,8,0:30\n2026-10-20,2,0\n"
    let options = ImportFileOptions(format: .generic, dayStart: DayStart("07:00"))
    // A file without times needs their columns.
    let text = file.replacing("date,", with: "start,date,").replacing("2026", with: ",2026")
    #expect(
      try ImportFileReader.lines(of: Array(text.utf8), options).map(Self.words) == [
        "2 break_unplaced", "3 - 2026-10-20 07:00:00 + 0 s for 7200 s: ",
      ])
  }

  @Test(
    "A length that cannot be read is refused beside an end, too: the entry may be longer than it",
    arguments: ImportFormat.allCases)
  func unreadableLength(_ format: ImportFormat) throws {
    let headers: [ImportFormat: String] = [
      .toggl: "Email,Start date,Start time,End date,End time,Duration",
      .clockify: "Email,Start date,Start time,End date,End time,Duration (h)",
      .harvest: "First Name,Last Name,Date,Started At,Ended At,Hours",
      .timetagger: "tag_groups,date,start,stop,duration",
      .kimai: "E-mail,Date,From,To,Duration", .solidtime: "User,Start,End,Duration",
      .generic: "email,date,start,end,hours",
    ]
    let values = [
      "Email": "a@example.com", "E-mail": "a@example.com", "email": "a@example.com", "User": "A",
      "First Name": "A",
      "Last Name": "B", "tag_groups": "", "Start date": "2026-10-20", "End date": "2026-10-20",
      "Date": "2026-10-20",
      "date": "2026-10-20", "Start time": "09:00", "End time": "17:00", "Started At": "9:00am",
      "Ended At": "5:00pm",
      "start": "09:00", "end": "17:00", "stop": "17:00", "From": "09:00", "To": "17:00",
      "Start": "2026-10-20 09:00:00", "End": "2026-10-20 17:00:00",
    ]
    let header = try #require(headers[format])
    func row(_ length: String) throws -> Result<ImportRow, ImportRefusal> {
      let fields = header.split(separator: ",").map { values[String($0)] ?? length }
      let file = header + "\n" + fields.joined(separator: ",") + "\n"
      return try ImportFileReader.lines(of: Array(file.utf8), ImportFileOptions(format: format))[0].row
    }
    #expect(try row("7:30").get().statedSeconds == 27_000)
    #expect(try row("").get().statedSeconds == nil)
    for text in ["soon", "-7:30", "7:3"] {
      #expect(throws: ImportRefusal.self) { try row(text).get() }
    }
  }

  @Test("Columns of which nothing is read are named once each, in their order, and not without end")
  func ignoredColumns() throws {
    func ignored(_ header: String, _ format: ImportFormat = .generic) throws -> [String] {
      var survey = ImportFileSurvey(ImportFileOptions(format: format))
      try survey.read(Array((header + "\n").utf8))
      return try survey.finish().ignoredColumns
    }
    #expect(try ignored("email,start,end,Shoe size, ,Shoe size,lunch") == ["Shoe size", "lunch"])
    #expect(try ignored("start,end,notes,break,pause (min)").isEmpty)
    #expect(try ignored("clockInTime,start,end") == ["start"])
    #expect(
      try ignored("User,Email,Start date,Start time,End date,End time,Duration,Amount ()", .toggl) == [
        "Amount ()"
      ])
    let many = "start,end," + (0..<150).map { "c\($0)" }.joined(separator: ",")
    #expect(try ignored(many) == (0..<100).map { "c\($0)" })
  }

  @Test(
    "Toggl's and others' rows without an end were running, whatever they had by then; a file without ends has lengths"
  )
  func running() throws {
    func words(_ text: String, _ format: ImportFormat) throws -> [String] {
      try ImportFileReader.lines(of: Array(text.utf8), ImportFileOptions(format: format)).map(Self.words)
    }
    for format in [ImportFormat.toggl, .clockify] {
      #expect(
        try words(
          "Email,Start date,Start time,End date,End time,Duration\na@b.example,2026-10-20,09:00,-,-,01:30:00\n",
          format)
          == ["2 entry_active"])
      #expect(
        try words("Email,Start date,Start time,Duration\na@b.example,2026-10-20,09:00,01:30:00\n", format)
          == ["2 a@b.example () 2026-10-20 09:00:00 for 5400 s, 5400 s: "])
      // If the date of the end is left out, the time of day is one all the same.
      #expect(
        try words(
          "Email,Start date,Start time,End date,End time,Duration\na@b.example,2026-10-24,22:00,,06:00,09:00:00\n",
          format)
          == ["2 a@b.example () 2026-10-24 22:00:00 until 06:00:00, 32400 s: "])
    }
    #expect(
      try words("E-mail,Date,From,To,Duration\na@b.example,2026-10-20,09:00,,1:30\n", .kimai) == [
        "2 entry_active"
      ])
    #expect(
      try words("User,Start,End,Duration\nA,2026-10-20 09:00:00,,1:30\n", .solidtime) == ["2 entry_active"])
  }

  @Test(
    "The apostrophe is taken away that an export of the service has put before a text, and no other",
    arguments: [
      ("'=SUM(A1)", "=SUM(A1)"), ("'-5 kg", "-5 kg"), ("'@home", "@home"), ("' +1", "+1"), ("'＝1", "＝1"),
      ("'tis", "'tis"), ("''=1", "''=1"), ("=1", "=1"), ("'", "'"), ("a'=1", "a'=1"),
    ])
  func apostrophes(_ cell: String, _ text: String) throws {
    let file = "start,end,notes\n2026-10-15 08:00,2026-10-15 12:00,\(cell)\n"
    let row = try ImportFileReader.lines(of: Array(file.utf8), ImportFileOptions(format: .generic))[0].row
      .get()
    #expect(row.notes == text)
    // Text by other services is left as it is.
    let toggl =
      "Email,Start date,Start time,End date,End time,Description\na@b.example,2026-10-15,08:00,2026-10-15,12:00,\(cell)\n"
    let other = try ImportFileReader.lines(of: Array(toggl.utf8), ImportFileOptions(format: .toggl))[0].row
      .get()
    #expect(other.notes == cell)
  }

  @Test("A first line that states the delimiter for Excel is none of the file", arguments: ["\u{FEFF}", ""])
  func delimiterLine(_ mark: String) throws {
    for delimiter in [",", ";", "\t"] {
      let rows = ["start|end", "2026-10-15 08:00|2026-10-15 12:00"].map { $0.replacing("|", with: delimiter) }
      let text = mark + (["SEP=\(delimiter)"] + rows).joined(separator: "\r\n")
      let lines = try ImportFileReader.lines(of: Array(text.utf8), ImportFileOptions(format: .generic))
      #expect(lines.map(Self.words) == ["3 - 2026-10-15 08:00:00 to 2026-10-15 12:00:00: "])
    }
    #expect(throws: ImportFileError.malformed("The file is empty.")) {
      try ImportFileReader.lines(of: Array("sep=;\n".utf8), ImportFileOptions(format: .generic))
    }
  }

  @Test("UTF-16 and Windows-1252 are read like UTF-8", arguments: [nil, true, false])
  func encodings(_ isBigEndian: Bool?) throws {
    let text = String(decoding: try Self.sample("generic_aliases.csv"), as: UTF8.self)
    let bytes: [UInt8]
    if let isBigEndian {
      bytes = Self.utf16([0xFEFF] + Array(text.utf16), isBigEndian: isBigEndian)
    } else {
      bytes = text.unicodeScalars.map { UInt8($0.value) }
    }
    for size in [bytes.count, 1, 3] {
      let pieces = stride(from: 0, to: bytes.count, by: size).map {
        Array(bytes[$0..<min($0 + size, bytes.count)])
      }
      var survey = ImportFileSurvey(ImportFileOptions(format: .generic))
      for piece in pieces { try survey.read(piece) }
      var reader = ImportFileReader(ImportFileOptions(format: .generic), try survey.finish())
      let lines = try pieces.flatMap { try reader.read($0) } + reader.finish()
      #expect(lines.map(Self.words) == Self.aliases, "in pieces of \(size)")
    }
  }

  @Test(
    "A row that is no text in the file's encoding is refused, and no other",
    arguments: [
      // UTF-8, because of the "ü" of the third row.
      (Array("2026-10-15 08:00,2026-10-15 12:00,".utf8) + [0xFC], Array("ü".utf8)),
      // Windows-1252, in which 0x81 is nothing.
      (Array("2026-10-15 08:00,2026-10-15 12:00,".utf8) + [0x81], [0xFC]),
    ])
  func brokenText(_ broken: [UInt8], _ word: [UInt8]) throws {
    let row = Array("\n2026-10-16 08:00,2026-10-16 12:00,".utf8) + word
    let bytes = Array("clockInTime,clockOutTime,notes\n".utf8) + broken + row + row
    let lines = try ImportFileReader.lines(of: bytes, ImportFileOptions(format: .generic))
    let expected = "- 2026-10-16 08:00:00 to 2026-10-16 12:00:00: ü"
    #expect(lines.map(Self.words) == ["2 row_malformed", "3 \(expected)", "4 \(expected)"])
  }

  @Test("Half a character of UTF-16 is refused with its row", arguments: [true, false])
  func brokenUTF16(_ isBigEndian: Bool) throws {
    let header = Array("\u{FEFF}clockInTime,clockOutTime,notes\n".utf16)
    let row = Array("2026-10-16 08:00,2026-10-16 12:00,".utf16)
    let units = header + row + [0xD83D, 0x0A] + row + [0xD83D, 0xDE00, 0x0A] + row + [0xDE00]
    let lines = try ImportFileReader.lines(
      of: Self.utf16(units, isBigEndian: isBigEndian) + [0], ImportFileOptions(format: .generic))
    let expected = "3 - 2026-10-16 08:00:00 to 2026-10-16 12:00:00: 😀"
    #expect(lines.map(Self.words) == ["2 row_malformed", expected, "4 row_malformed"])
  }

  private static func utf16(_ units: [UInt16], isBigEndian: Bool) -> [UInt8] {
    units.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  @Test(
    "Days begin at a time of day of 24 hours",
    arguments: [
      ("09:00", true), ("00:00", true), ("23:59", true), ("24:00", false), ("9:00", false), ("09:60", false),
      ("09:00:00", false), ("9 AM", false), ("", false), (".9:30", false),
    ])
  func dayStarts(_ text: String, _ isTaken: Bool) {
    #expect((DayStart(text) != nil) == isTaken)
  }

  @Test("A file of any bytes gives only rows and refusals", arguments: cases)
  func anyBytes(_ example: Case) throws {
    let bytes = try Self.sample(example.file)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var spoiled = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<spoiled.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: spoiled[place] = UInt8.random(in: 0...255, using: &random)
        case 1: spoiled.remove(at: place)
        default: spoiled.insert(UInt8(ascii: "\""), at: place)
        }
      }
      let lines = try? ImportFileReader.lines(
        of: spoiled, ImportFileOptions(format: example.format, dateOrder: .dayFirst))
      #expect((lines ?? []).allSatisfy { $0.line > 1 })
    }
  }

  private static func sample(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples")
    return Array(try Data(contentsOf: folder.appending(path: name)))
  }

  /// The row in words, or the code of its refusal.
  static func words(_ line: ImportLine) -> String {
    switch line.row {
    case .failure(let refusal): return "\(line.line) \(refusal.code)"
    case .success(let row):
      let person =
        switch row.person {
        case .email(let email, let name): "\(email) (\(name ?? "-"))"
        case .name(let name): name
        case .id(let id): "id \(id)"
        case .unstated: "-"
        }
      let rest = row.breakSeconds.map { " less \($0) s" } ?? ""
      let duration = (row.statedSeconds.map { ", \($0) s" } ?? "") + rest
      let zone = row.timeZone.map { " \($0)" } ?? ""
      let kind = row.kind == .work ? "" : "\(row.kind) "
      return
        "\(line.line) \(kind)\(person) \(words(row.clockIn)) \(words(end: row.clockOut))\(duration)\(zone): \(row.notes ?? "")"
    }
  }

  private static func words(end: ImportEnd) -> String {
    switch end {
    case .time(let time): "to \(words(time))"
    case .after(let seconds): "for \(seconds) s"
    case .clock(let millisecondOfDay, let date):
      "until "
        + words(.local(LocalTime(date: date, millisecondOfDay: millisecondOfDay))).split(separator: " ")[1]
    }
  }

  private static func words(_ time: ImportTime) -> String {
    switch time {
    case .instant(let instant): return instant.rfc3339
    case .elapsed(let seconds, let local): return "\(words(.local(local))) + \(seconds) s"
    case .local(let local):
      let seconds = local.millisecondOfDay / 1_000
      let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { String($0 + 100).dropFirst() }
      return "\(local.date.iso8601) \(parts.joined(separator: ":"))"
    }
  }
}

@Suite("Times in files")
struct StatedTimeTests {
  @Test(
    "Times are read on clocks of 24 and of 12 hours",
    arguments: [
      ("09:30", 34_200), ("9:30", 34_200), ("09:30:15", 34_215), ("00:00", 0), ("23:59:59", 86_399),
      ("12:00 AM", 0), ("12:30:00 PM", 45_000), ("1:05pm", 47_100), ("11:59:59\u{202F}PM", 86_399),
      ("9:30 a.m.", 34_200), ("24:00", nil), ("13:00 PM", nil), ("0:30 AM", nil), ("9", nil), ("9:3", nil),
      ("09:60", nil), ("09:30:60", nil), ("", nil), ("+9:30", nil), ("٠٩:٣٠", nil), ("9:30 XM", nil),
      ("9:30 AM AM", nil), ("99999999999999999999:00", nil),
    ] as [(String, Int64?)])
  func timesOfDay(_ text: String, _ seconds: Int64?) {
    #expect(StatedTime.millisecondOfDay(text) == seconds.map { $0 * 1_000 })
  }

  @Test(
    "Lengths of time are read in three forms",
    arguments: [
      ("01:30:00", 5_400), ("1:30", 5_400), ("0:00:59", 59), ("7.5", 27_000), ("6,50", 23_400), ("2", 7_200),
      ("7h", 25_200), ("0h 30m", 1_800), ("7h30min", 27_000), ("1h 2m 3s", 3_723), ("90 min", 5_400),
      ("45S", 45),
      ("30m 7h", nil), ("7h 7h", nil), ("7x", nil), ("7mi", nil), ("7h 3", nil), ("h", nil),
      ("0.0002", 1), ("100:00:00", 360_000), ("", nil), ("-1", nil), ("1.5h", nil), ("1:3", nil), (".", nil),
      ("1.", nil), ("99999999999999999999", nil), ("0.12345678901234567", 444),
    ] as [(String, Int64?)])
  func durations(_ text: String, _ seconds: Int64?) {
    #expect(StatedDuration.seconds(text) == seconds)
  }
}
