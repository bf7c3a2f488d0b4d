import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists the changes with their author, time, reason, and the record before and after; newest first.
  static let listAuditLog = Operation("listAuditLog") { request in
    let (wanted, list) = try request.query { query in
      let list = try request.list("listAuditLog", query)
      let wanted = AuditLogRequest(
        userID: query.identifier("userId"), resource: query.choice("resource"),
        resourceID: query.identifier("resourceId"),
        operation: query.name("operation", of: "an operation", among: Operation.namesOfChanges),
        startTime: query.instant("startTime"), endTime: query.instant("endTime"),
        cursor: query.cursor(in: list), limit: query.limit())
      return (wanted, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.auditLog(wanted, for: request.requireMembership())
    let now = request.timeclock.clock.now
    return page.response("changes", of: list, bytesPerElement: 1_500) { $1.writeForAudit(to: &$0, at: now) }
  }
}
