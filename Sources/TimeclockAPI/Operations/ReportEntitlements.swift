import HTTPMessages
import Threads
import TimeclockDomain

extension Operation {
  /// Reports the use of members' entitlements of a year.
  static let reportEntitlements = Operation("reportEntitlements") { request in
    let (kind, year, members): (Entitlement.Kind, Int, WantedMembers) = try request.query { query in
      (
        query.choice("kind") ?? .vacation, query.require("year", query.year("year"), else: 1900),
        query.members()
      )
    }
    try request.requireNoBody()
    let caller = try request.requireMembership()
    // A year of every member's schedule is gone through.
    return try await LongWorkExecutor.run {
      let report = try await request.timeclock.entitlementReport(kind, in: year, of: members, for: caller)
      return HTTPResponse(
        status: .ok, fields: StandardFields.json, body: report.content(of: kind).body)
    }
  }
}
