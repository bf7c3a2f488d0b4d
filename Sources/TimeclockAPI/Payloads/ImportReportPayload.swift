import TimeclockDomain

/// Writes the contract's ImportReport in parts, as batches of rows are judged.
package struct ImportReportWriter {
  /// The whole without the rows that were not taken, which are written already.
  package private(set) var sum: ImportReport
  private var refusedCount = 0
  private var writer: JSONWriter

  package init(isDryRun: Bool) {
    sum = ImportReport(isDryRun: isDryRun)
    writer = JSONWriter()
    writer.open("{")
    writer.member("dryRun", isDryRun)
    writer.name("rows")
    writer.open("[")
  }

  /// How many rows have been judged, and how many of them were not taken.
  package var rowCount: (all: Int, refused: Int) {
    (sum.taken + sum.alreadyThere + refusedCount, refusedCount)
  }

  /// Adds what became of a batch.
  package mutating func add(_ report: ImportReport) {
    sum.taken += report.taken
    sum.alreadyThere += report.alreadyThere
    sum.membersCreated += report.membersCreated
    refusedCount += report.refused.count
    for row in report.refused {
      writer.object { writer in
        writer.member("line", Int64(row.line))
        writer.member("code", row.refusal.code)
        writer.member("detail", row.refusal.detail)
      }
    }
  }

  /// Ends the report. Nothing may be added then.
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
    writer.close("}")
  }

  /// Takes away what was written so far.
  package mutating func takeBytes() -> [UInt8] { writer.takeBytes() }
}

extension ImportReport {
  /// The contract's ImportReport.
  var payload: [UInt8] {
    var writer = ImportReportWriter(isDryRun: isDryRun)
    writer.add(self)
    writer.finish()
    return writer.takeBytes()
  }
}
