import HTTPMessages

extension Operation {
  /// Whether the process runs; asks nothing of the database.
  static let getLiveness = Operation("getLiveness", .get, "/health/live", .open) { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    return live
  }

  private static let live = HTTPResponse.json(JSONWriter.object { $0.member("status", "live") })
}
