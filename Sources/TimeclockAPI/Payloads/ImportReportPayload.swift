import TimeclockDomain

/// Writes the contract's ImportReport in parts, as batches of rows are judged.
package struct ImportReportWriter {
  /// The whole report without the refused rows, which are written already.
  package private(set) var sum: ImportReport
  private var refusedCount = 0
  private var writer: JSONWriter

  package init(isDryRun: Bool, ignoredColumns: [String]) {
    sum = ImportReport(isDryRun: isDryRun, ignoredColumns: ignoredColumns)
    writer = JSONWriter()
    writer.open("{")
    writer.member("dryRun", isDryRun)
    writer.name("rows")
    writer.open("[")
  }

  /// The number of rows that have been judged, and the number of refused ones among them.
  package var rowCount: (all: Int, refused: Int) {
    (sum.taken + sum.alreadyThere + refusedCount, refusedCount)
  }

  /// Adds the outcome of a batch.
  package mutating func add(_ report: ImportReport) {
    sum.taken += report.taken
    sum.alreadyThere += report.alreadyThere
    sum.shortened += report.shortened
    sum.membersCreated += report.membersCreated
    sum.projectsCreated += report.projectsCreated
    sum.tasksCreated += report.tasksCreated
    sum.segmentsCreated += report.segmentsCreated
    refusedCount += report.refused.count
    for row in report.refused {
      writer.object { writer in
        writer.member("line", Int64(row.line))
        writer.member("code", row.refusal.code)
        writer.member("detail", row.refusal.detail)
      }
    }
  }

  /// Ends the report. Nothing may be added afterwards.
  package mutating func finish() {
    writer.close("]")
    writer.member("taken", Int64(sum.taken))
    writer.member("alreadyThere", Int64(sum.alreadyThere))
    writer.member("refused", Int64(refusedCount))
    writer.array("membersCreated", sum.membersCreated) { writer, member in
      writer.object { writer in
        writer.member("userId", member.userID)
        writer.member("email", member.email)
        writer.member("name", member.name)
      }
    }
    writer.member("projectsCreated", Int64(sum.projectsCreated))
    writer.member("tasksCreated", Int64(sum.tasksCreated))
    writer.member("segmentsCreated", Int64(sum.segmentsCreated))
    writer.array("shortened", sum.shortened) { writer, line in writer.integer(Int64(line)) }
    writer.array("ignoredColumns", sum.ignoredColumns) { writer, name in writer.string(name) }
    writer.close("}")
  }

  /// Takes away the bytes that have been written so far.
  package mutating func takeBytes() -> [UInt8] { writer.takeBytes() }
}

extension ImportReport {
  /// Returns the contract's ImportReport.
  var payload: [UInt8] {
    var writer = ImportReportWriter(isDryRun: isDryRun, ignoredColumns: ignoredColumns)
    writer.add(self)
    writer.finish()
    return writer.takeBytes()
  }
}
