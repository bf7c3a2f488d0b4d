import HTTPMessages

/// The fields of every answer. They forbid caches to keep an answer, browsers to guess its type, other pages to embed it,
/// and an answer that is shown as a page to load or run anything (docs/decisions/0014-edge.md).
enum StandardFields {
  static let json = fields(contentType: "application/json")
  static let problem = fields(contentType: "application/problem+json")
  static let yaml = fields(contentType: "application/yaml")
  static let noContent = fields(contentType: nil)

  /// Makes the fields of an answer with content of this type; nil for one without content.
  static func fields(contentType: String?) -> HTTPFields {
    var fields = HTTPFields()
    if let contentType { fields.append("Content-Type", contentType) }
    fields.append("Cache-Control", "no-store")
    fields.append("X-Content-Type-Options", "nosniff")
    fields.append("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
    return fields
  }
}

extension HTTPResponse {
  /// Makes an answer with a JSON object.
  static func json(
    status: HTTPStatus = .ok, version: Int64? = nil, location: String? = nil, _ body: [UInt8]
  ) -> HTTPResponse {
    var response = HTTPResponse(status: status, fields: StandardFields.json, body: .bytes(body))
    if let version { response.fields.append("ETag", EntityTag.text(version: version)) }
    if let location { response.fields.append("Location", location) }
    return response
  }

  /// Makes the answer to a read, with the weak tag of its content (`ContentTag`): for everything that has no version of its
  /// own, and does not run as a whole.
  @inline(__always)
  static func tagged(capacity: Int = 512, _ writeMembers: (inout JSONWriter) -> Void) -> HTTPResponse {
    var writer = JSONWriter(capacity: capacity)
    writer.object(writeMembers)
    var response = json(writer.bytes)
    response.fields.append("ETag", writer.entityTag)
    return response
  }

  /// Makes the answer in place of one whose `ETag` the client has already (RFC 9110, section 15.4.5).
  static func notModified(_ tag: String) -> HTTPResponse {
    var response = HTTPResponse(status: .notModified, fields: StandardFields.noContent)
    response.fields.append("ETag", tag)
    return response
  }

  /// Makes an answer without content.
  static let noContent = HTTPResponse(status: .noContent, fields: StandardFields.noContent)
}
