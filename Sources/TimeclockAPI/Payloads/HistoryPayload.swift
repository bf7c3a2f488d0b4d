import TimeclockDomain

extension History {
  /// The contract's History.
  var payload: [UInt8] {
    JSONWriter.object(capacity: 2_048) { writer in
      writer.member("period", period.rawValue)
      frame.write(to: &writer)
      writer.member("workSeconds", workSeconds)
      writer.member("breakSeconds", breakSeconds)
      writer.member("unpaidBreakSeconds", unpaidBreakSeconds)
      writer.member("deductedBreakSeconds", deductedBreakSeconds)
      writer.member("paidSeconds", paidSeconds)
      writer.projects(projects)
      writer.array("tasks", tasks) { writer, row in
        writer.object { writer in
          writer.member("taskId", row.subject?.id)
          writer.member("name", row.subject?.name)
          writer.time(of: row)
        }
      }
      writer.array("days", days) { writer, day in
        writer.object { writer in
          writer.member("date", day.date)
          writer.member("workSeconds", day.workSeconds)
          writer.projects(day.projects)
        }
      }
      writer.member("outsideSeconds", outsideSeconds)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func projects(_ rows: [HistoryRow<Project>]) {
    array("projects", rows) { writer, row in
      writer.object { writer in
        writer.member("projectId", row.subject?.id)
        writer.member("name", row.subject?.name)
        writer.member("color", row.subject?.color.text)
        writer.time(of: row)
      }
    }
  }

  fileprivate mutating func time<Subject>(of row: HistoryRow<Subject>) {
    member("seconds", row.seconds)
    name("share")
    tenThousandths(row.tenThousandths)
  }
}
