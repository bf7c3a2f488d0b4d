import ArgumentParser
import Glibc
import ImportFiles
import Procedures
import TimeclockDomain

/// `timeclock import`: imports the entries of a file of any size that another service has exported.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import the time entries of a file of another service.",
    discussion: """
      Each row is kept by the rules of an entry that is entered by hand. People are found by their e-mail address, or \
      added as deactivated members. What is there already stays as it is, so a file can be imported again. Prints one \
      JSON object: how many rows were taken, who was added, and each row that was not taken, with its line and the \
      reason. Rows that are not taken are no failure; a file that cannot be read is. While a server holds the database, \
      use the operation importTimeEntries instead.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(help: "The organization's id, or its name if only one has it.")
  var organization: String

  @Option(
    help: "Which service has made the file: \(ImportFormat.allCases.map(\.rawValue).joined(separator: ", "))."
  )
  var format: ImportFormat

  @Option(
    help:
      "The zone in which clocks showed the file's times, such as Europe/Berlin. (default: each member's own)")
  var timeZone: String?

  @Option(
    help: ArgumentHelp(
      "The member of all rows without an e-mail address; needed for timetagger. (default: by the name in the row)",
      valueName: "e-mail"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "The members.csv of the same solidtime export, whose rows have ids instead of people.",
      valueName: "file"), completion: .file())
  var members: String?

  @Option(
    help:
      "Whether dates such as 03/04/2026 have the day first (dmy) or the month (mdy). (default: found out from the file)"
  )
  var dateOrder: DateOrder?

  @Option(
    help: ArgumentHelp(
      "When the hours of a day begin whose rows have no times, as in Harvest without timers: one behind the other.",
      valueName: "HH:MM"))
  var dayStart: DayStart?

  @Option(
    help: ArgumentHelp(
      "Keep clients, projects and tasks as words in notes, or create projects, tasks and a segment of each row.",
      valueName: "notes|create"))
  var projects: ImportProjects = .notes

  @Flag(help: "Keep and flag entries that are shorter or longer than the policy lets them be.")
  var keepOutOfPolicy = false

  @Flag(
    help: """
      Have an entry end after the row's own duration, less its break, if that is shorter than its start and end are \
      apart. (default: such rows are refused)
      """)
  var lengthFromDuration = false

  @Flag(help: "Only judge the rows, and keep nothing.")
  var dryRun = false

  @Argument(help: "The file, in UTF-8, UTF-16 or Windows-1252.", completion: .file())
  var file: String

  func validate() throws {
    guard !format.isOfOnePerson || user != nil else {
      throw ValidationError("A \(format.rawValue) file is one person's: say with --user whose.")
    }
    guard members == nil || format == .solidtime else {
      throw ValidationError("--members goes with --format solidtime: no other format has ids of people.")
    }
  }

  func run() async throws {
    let options = ImportFileOptions(
      format: format, dateOrder: dateOrder, dayStart: dayStart, projects: projects, people: try people(),
      names: .flags)
    do {
      try await importFile(options, ImportSource(path: file).survey(options))
    } catch let error as ImportFileError {
      throw CommandError("\(file): \(error.detail(.flags))")
    }
  }

  /// The people in the file of `--members`, by their ids.
  ///
  /// - Throws: `CommandError`.
  private func people() throws -> [String: ImportPerson] {
    guard let members else { return [:] }
    do {
      return try SolidtimeMembers.people(of: ImportSource(path: members).whole())
    } catch let error as ImportFileError {
      throw CommandError("\(members): \(error.detail(.flags))")
    }
  }

  private func importFile(_ options: ImportFileOptions, _ shape: ImportFileShape) async throws {
    try await database.withTimeclock(
      whenInUse: """
        Stop it first, or use its operation importTimeEntries (POST \
        /v1/organizations/{organizationID}/timeEntries/import).
        """
    ) { try await importFile(options, shape, into: $0) }
  }

  private func importFile(
    _ options: ImportFileOptions, _ shape: ImportFileShape, into timeclock: Timeclock
  ) async throws {
    let key = try await timeclock.organizationKey(named: organization)
    let membership = try await timeclock.operatorMembership(in: key)
    let settings = ImportSettings(
      timeZone: timeZone, userID: try await userID(in: timeclock, key), isDryRun: dryRun,
      keepsOutOfPolicy: keepOutOfPolicy, takesLength: lengthFromDuration,
      ignoredColumns: shape.ignoredColumns, names: .flags)
    var running = try await timeclock.beginImport(settings, by: membership)
    var source = try ImportSource(path: file)
    var reader = ImportFileReader(options, shape)
    var output = ImportOutput(isDryRun: dryRun, ignoredColumns: shape.ignoredColumns)
    defer { output.finish() }
    let progress = ProgressLine()
    while let piece = try source.next() {
      let lines = try piece.isEmpty ? reader.finish() : reader.read(piece)
      let batchSize = TimeEntryImport.batchSize
      for begin in stride(from: 0, to: lines.count, by: batchSize) {
        let batch = Array(lines[begin..<min(begin + batchSize, lines.count)])
        progress.clear()
        output.add(try await running.take(batch))
        progress.show(done: source.position, of: source.size, rows: output.rowCount)
      }
    }
    progress.clear()
  }

  /// The member that the option names.
  private func userID(in timeclock: Timeclock, _ organization: OrganizationKey) async throws -> UserID? {
    guard let user else { return nil }
    return try await timeclock.member(withEmail: user, in: organization).userID
  }
}

extension ImportFormat: ExpressibleByArgument {}
extension DateOrder: ExpressibleByArgument {}
extension ImportProjects: ExpressibleByArgument {}
extension DayStart: ExpressibleByArgument {
  /// Reads the flag's value.
  package init?(argument: String) { self.init(argument) }
}
