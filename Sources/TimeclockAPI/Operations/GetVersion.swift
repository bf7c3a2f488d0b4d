import HTTPMessages

extension Operation {
  /// Returns the version of the program and of the paths that it serves.
  static let getVersion = Operation("getVersion") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    return .json(
      JSONWriter.object { writer in
        writer.member("version", request.context.version)
        writer.member("api", "v1")
      })
  }
}
