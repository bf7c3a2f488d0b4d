import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Adds up the caller's events.
  static let taskTimerGetStats = Operation("taskTimerGetStats") { request in
    let name = try request.query { $0.text("timezone") } ?? "UTC"
    try request.requireNoBody()
    let list = try await LongTimerList(request)
    let zone = try request.timeclock.zone(named: name)
    return try await list.answer { timer in
      let totals = try await timer.totals(in: zone)
      return JSONWriter.object { writer in
        writer.array("tasks", totals) { writer, total in
          writer.object { writer in
            writer.member("taskId", total.task.id)
            writer.member("taskName", total.task.name)
            writer.member("totalTime", total.total)
            writer.member("todayTime", total.today)
          }
        }
        writer.member("grandTotal", totals.reduce(0) { $0 + $1.total })
        writer.member("todayTotal", totals.reduce(0) { $0 + $1.today })
      }
    }
  }
}
