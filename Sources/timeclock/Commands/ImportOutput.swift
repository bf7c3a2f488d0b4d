import Glibc
import TimeclockAPI
import TimeclockDomain

/// The output of an import: its report as one JSON object on standard output, written while rows are refused, so that it
/// takes no memory; and lines for a person on standard error.
struct ImportOutput {
  private var writer: ImportReportWriter

  init(isDryRun: Bool, ignoredColumns: [String]) {
    writer = ImportReportWriter(isDryRun: isDryRun, ignoredColumns: ignoredColumns)
  }

  /// The number of rows that have been judged.
  var rowCount: Int { writer.rowCount.all }

  /// Prints the outcome of some rows.
  mutating func add(_ report: ImportReport) {
    writer.add(report)
    for row in report.refused { tell("line \(row.line): \(row.refusal.code): \(row.refusal.detail)") }
    flush()
  }

  /// Ends the report. The report of an import that cannot continue lists the work done until then.
  mutating func finish() {
    writer.finish()
    flush()
    Self.write([UInt8(ascii: "\n")], to: STDOUT_FILENO)
    let sum = writer.sum
    tell(
      """
      \(count(sum.taken, "row", "rows")) taken, \(count(sum.alreadyThere)) there already, \
      \(count(writer.rowCount.refused)) refused; \(count(sum.membersCreated.count, "member", "members")) added
      """)
    if !sum.shortened.isEmpty {
      tell(
        "\(count(sum.shortened.count, "row", "rows")) cut to the length that the row states, as the report lists"
      )
    }
    if !sum.ignoredColumns.isEmpty {
      tell("ignored the columns \(sum.ignoredColumns.joined(separator: ", "))")
    }
    guard sum.segmentsCreated > 0 else { return }
    tell(
      """
      \(count(sum.projectsCreated, "project", "projects")), \(count(sum.tasksCreated, "task", "tasks")) and \
      \(count(sum.segmentsCreated, "segment", "segments")) made
      """)
  }

  /// Returns a number with its noun and verb, such as "1 row was" or "2 rows would be".
  private func count(_ number: Int, _ noun: String? = nil, _ plural: String? = nil) -> String {
    let verb = writer.sum.isDryRun ? "would be" : number == 1 ? "was" : "were"
    return [String(number), number == 1 ? noun : plural, verb].compactMap { $0 }.joined(separator: " ")
  }

  private mutating func flush() {
    Self.write(writer.takeBytes(), to: STDOUT_FILENO)
  }

  /// Writes a line; text of the file must not move the terminal's cursor.
  private func tell(_ line: String) {
    let scalars = line.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }
    Self.write(Array((String(String.UnicodeScalarView(scalars)) + "\n").utf8), to: STDERR_FILENO)
  }

  /// Writes all bytes, or as many as the reader takes.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
