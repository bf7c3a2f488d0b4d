import HTTPMessages
import WebPage

extension HTTPResponse {
  /// Makes the answer to a request for a file of the page, in the form that the client prefers; 304 if it names that
  /// form's tag.
  ///
  /// - Parameters:
  ///   - caching: The value of `Cache-Control`.
  ///   - names: The request's fields that the answer depends on.
  static func file(
    _ file: WebFile, caching: String, varyingBy names: String, for request: HTTPRequest
  ) -> HTTPResponse {
    let takesGzip = AcceptEncodingField(request.fields.values(of: "Accept-Encoding")).prefersGzip
    let gzip = takesGzip ? file.gzip : nil
    let form = gzip ?? file.plain
    let named = request.fields.values(of: "If-None-Match")
    let isKnown = !named.isEmpty && EntityTag.isNamed(form.tag, in: named.joined(separator: ","))
    // Of a 304 a cache takes the fields in place of those that it has (RFC 9111, section 3.2), so it has the same ones.
    var response = HTTPResponse(status: isKnown ? .notModified : .ok, fields: pageFields)
    response.fields.append("Cache-Control", caching)
    response.fields.append("Vary", names)
    response.fields.append("ETag", form.tag)
    guard !isKnown else { return response }
    response.fields.append("Content-Type", file.type)
    if gzip != nil { response.fields.append("Content-Encoding", "gzip") }
    response.body = .bytes(form.bytes)
    return response
  }

  /// The fields of every answer with a file of the page, in place of `StandardFields` (docs/threat-model.md): scripts, styles
  /// and images come from this service and from nowhere else, no other page shows this one, and no text becomes a script.
  private static let pageFields: HTTPFields = {
    var fields = HTTPFields()
    fields.append(
      "Content-Security-Policy",
      """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
      manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
      require-trusted-types-for 'script'; trusted-types timeclock
      """)
    fields.append("X-Content-Type-Options", "nosniff")
    fields.append("Referrer-Policy", "no-referrer")
    fields.append("Cross-Origin-Opener-Policy", "same-origin")
    fields.append("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
    return fields
  }()
}
