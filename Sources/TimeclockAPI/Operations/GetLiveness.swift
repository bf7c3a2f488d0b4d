import HTTPMessages

extension Operation {
  /// Reports that the process runs, without asking the database.
  static let getLiveness = Operation("getLiveness") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    return live
  }

  private static let live = HTTPResponse.json(JSONWriter.object { $0.member("status", "live") })
}
