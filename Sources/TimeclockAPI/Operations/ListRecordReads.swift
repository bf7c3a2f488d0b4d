import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists when representatives have read members' time, newest first.
  static let listRecordReads = Operation("listRecordReads") { request in
    let (wanted, list) = try request.query { query in
      let list = try request.list("listRecordReads", query)
      let wanted = RecordReadRequest(
        readerID: query.identifier("readerId"), groupID: query.identifier("groupId"),
        userID: query.identifier("userId"), startTime: query.instant("startTime"),
        endTime: query.instant("endTime"), cursor: query.cursor(in: list), limit: query.limit())
      return (wanted, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.recordReads(wanted, for: request.requireMembership())
    return page.response("recordReads", of: list) { $1.write(to: &$0) }
  }
}

extension RecordRead {
  /// Writes the contract's RecordRead.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("at", time)
      writer.member("readerId", readerID)
      writer.member("groupId", groupID)
      writer.member("groupName", groupName)
      writer.member("operation", operation.rawValue)
      writer.member("userId", userID)
      writer.member("from", startDate) { $0.date($1) }
      writer.member("to", endDate) { $0.date($1) }
    }
  }
}
