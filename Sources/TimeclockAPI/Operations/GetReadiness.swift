import HTTPMessages

extension Operation {
  /// Reports whether the service can serve requests, the database included.
  static let getReadiness = Operation("getReadiness") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    try await request.timeclock.storage.checkReadiness()
    return .json(JSONWriter.object { $0.member("status", "ready") })
  }
}
