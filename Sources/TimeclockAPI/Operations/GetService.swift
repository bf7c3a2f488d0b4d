import HTTPMessages

extension Operation {
  /// Says what answers here, and where its contract is.
  static let getService = Operation("getService", .get, "/", .open) { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    return .json(
      JSONWriter.object { writer in
        writer.member("name", "Timeclock")
        writer.member("version", request.context.version)
        writer.member("contract", "/openapi.yaml")
      })
  }
}
