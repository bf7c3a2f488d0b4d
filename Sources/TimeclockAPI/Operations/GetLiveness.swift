import HTTPMessages

extension Operation {
  /// Whether the process runs; asks nothing of the database.
  static let getLiveness = Operation("getLiveness", .get, "/health/live", .open) { request in
    if request.http.query != nil { try request.query { _ in } }
    try request.requireNoBody()
    return live
  }

  private static let live = HTTPResponse.json(JSONWriter.object { $0.member("status", "live") })
}
