import HTTPMessages

extension Operation {
  /// Names the service, and the place of its contract.
  static let getService = Operation("getService") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    var response = HTTPResponse.json(
      JSONWriter.object { writer in
        writer.member("name", "Timeclock")
        writer.member("version", request.context.version)
        writer.member("contract", "/openapi.yaml")
      })
    // To browsers it is the page.
    if request.context.edge.servesPage { response.fields.append("Vary", "Accept") }
    return response
  }
}
