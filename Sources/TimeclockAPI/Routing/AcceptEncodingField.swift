/// The content codings that a client takes (RFC 9110, section 12.5.3).
struct AcceptEncodingField {
  private var weights: [Substring: Int] = [:]

  /// Reads the lines of the field. An element with an invalid weight counts as not sent; of a coding that stands there twice,
  /// the first one counts.
  init(_ lines: [String]) {
    for element in lines.joined(separator: ",").utf8.split(separator: UInt8(ascii: ",")) {
      guard let (coding, weight) = WeightedElement.read(element) else { continue }
      // Its former name (RFC 9110, section 8.4.1.3).
      let name = coding == "x-gzip" ? "gzip" : coding
      if weights[name] == nil { weights[name] = weight }
    }
  }

  /// Whether the client takes gzip, and prefers it to content as it is, or minds neither. A client that does not send the
  /// field gets content as it is: few that can read gzip fail to say so.
  var prefersGzip: Bool {
    let gzip = weights["gzip"] ?? weights["*"] ?? 0
    return gzip > 0 && gzip >= weights["identity"] ?? 0
  }
}
