import HTTPMessages

/// The media types that a client takes (RFC 9110, section 12.5.1).
struct AcceptField {
  private struct Range {
    var type: Substring
    var subtype: Substring
    /// The weight in thousandths.
    var quality: Int
  }

  private var ranges: [Range] = []

  /// Reads the lines of the field. An element that is not a media range, or has an invalid weight, counts as not sent.
  init(_ lines: [String]) {
    for element in lines.joined(separator: ",").utf8.split(separator: UInt8(ascii: ",")) {
      guard let (name, quality) = WeightedElement.read(element) else { continue }
      let type = name.split(separator: "/", omittingEmptySubsequences: false)
      guard type.count == 2 else { continue }
      ranges.append(Range(type: type[0], subtype: type[1], quality: quality))
    }
  }

  /// Returns the type of `types` that the client prefers, the first among equals; nil if the client takes none of them. A
  /// client that does not send the field takes everything.
  ///
  /// - Parameter types: Media types in lower case, without parameters.
  func preferred(of types: [String]) -> String? {
    guard !ranges.isEmpty else { return types.first }
    var best: (type: String, quality: Int)?
    for type in types {
      let quality = quality(of: type)
      if quality > best?.quality ?? 0 { best = (type, quality) }
    }
    return best?.type
  }

  /// Whether the client names this type itself, not by `*`, and takes it.
  ///
  /// - Parameter type: A media type in lower case, without parameters.
  func names(_ type: String) -> Bool {
    let parts = type.split(separator: "/")
    return ranges.contains { $0.type == parts.first && $0.subtype == parts.last && $0.quality > 0 }
  }

  /// Returns the weight of the most specific range that the type lies in; 0 if it lies in none.
  private func quality(of type: String) -> Int {
    let parts = type.split(separator: "/")
    guard parts.count == 2 else { return 0 }
    return ranges.first { $0.type == parts[0] && $0.subtype == parts[1] }?.quality
      ?? ranges.first { $0.type == parts[0] && $0.subtype == "*" }?.quality
      ?? ranges.first { $0.type == "*" && $0.subtype == "*" }?.quality ?? 0
  }
}
