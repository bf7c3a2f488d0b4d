import HTTPMessages
import Threads
import TimeclockDomain

extension Operation {
  /// Returns the time of a day, a week or a month, with its purposes.
  static let getHistory = Operation("getHistory") { request in
    let wanted = try request.query { query in
      query.refuse("range", beside: "period", "date")
      return HistoryRequest(
        period: query.choice("period") ?? .day, date: query.dateOrToday("date")?.first,
        range: query.choice("range"),
        attribution: query.choice("attribution") ?? .split, timeZone: query.text("timeZone"),
        members: query.members(), asOf: query.instant("asOf"))
    }
    try request.requireNoBody()
    let caller = try request.requireMembership()
    // Everyone's is as long to read as an export.
    let place =
      wanted.isAboutEveryone(for: caller) ? try request.context.exportPlaces.take(for: caller.key) : nil
    defer { withExtendedLifetime(place) {} }
    return try await LongWorkExecutor.run {
      .json(try await request.timeclock.history(wanted, for: caller).payload)
    }
  }
}
