import Cryptography

/// A file of the page as it is sent.
package struct WebFile: Sendable {
  /// One form of the content.
  package struct Form: Sendable {
    /// The strong entity tag of the bytes, with its quotes (RFC 9110, section 8.8.3): another form has another.
    package let tag: String
    private let read: @Sendable () -> [UInt8]

    /// The bytes. Those of an unchanged source are copied out of the program at each call, others are kept.
    package var bytes: [UInt8] { read() }

    fileprivate init(_ bytes: [UInt8], read: (@Sendable () -> [UInt8])? = nil) {
      tag = "\"\(Hexadecimal.text(of: SHA256.hash(bytes).prefix(16)))\""
      self.read = read ?? { bytes }
    }
  }

  /// The media type, with the charset of text.
  package let type: String
  /// The content as it is.
  package let plain: Form
  /// The content as gzip has it; nil if that is not smaller.
  package let gzip: Form?

  /// Makes a file of a source.
  ///
  /// - Parameter bytes: The bytes to send in place of the source's; nil for the source's.
  init(_ source: WebSource, sending bytes: [UInt8]? = nil) {
    type = Self.type(of: source.name)
    let content = bytes ?? source.read()
    plain = Form(content, read: bytes == nil ? source.read : nil)
    gzip = Gzip.compressed(content).map { Form($0) }
  }

  /// The media type by a name's ending; `application/octet-stream` for one that the page does not use.
  static func type(of name: String) -> String {
    types[name.split(separator: ".").last.map(String.init) ?? ""] ?? unknownType
  }

  static let unknownType = "application/octet-stream"
  private static let types = [
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
  ]
}
