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
      let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        .map(Self.normalized)
      let type = parts.first?.split(separator: "/", omittingEmptySubsequences: false) ?? []
      guard type.count == 2, let quality = Self.quality(of: parts.dropFirst()) else { continue }
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

  /// Returns the weight of the most specific range that the type lies in; 0 if it lies in none.
  private func quality(of type: String) -> Int {
    let parts = type.split(separator: "/")
    guard parts.count == 2 else { return 0 }
    return ranges.first { $0.type == parts[0] && $0.subtype == parts[1] }?.quality
      ?? ranges.first { $0.type == parts[0] && $0.subtype == "*" }?.quality
      ?? ranges.first { $0.type == "*" && $0.subtype == "*" }?.quality ?? 0
  }

  /// Returns the weight among a range's parameters, in thousandths: 1,000 if none is stated, nil if it is invalid.
  private static func quality(of parameters: ArraySlice<String>) -> Int? {
    guard let weight = parameters.first(where: { $0.hasPrefix("q=") }) else { return 1_000 }
    let digits = weight.utf8.dropFirst(2)
    guard let whole = digits.first, whole == 0x30 || whole == 0x31, digits.count <= 5 else { return nil }
    let fraction = digits.dropFirst()
    guard fraction.isEmpty || fraction.first == UInt8(ascii: ".") else { return nil }
    var thousandths = Int(whole - 0x30)
    for position in 0..<3 {
      let digit = fraction.dropFirst(1 + position).first ?? 0x30
      guard digit &- 0x30 < 10 else { return nil }
      thousandths = thousandths * 10 + Int(digit - 0x30)
    }
    return thousandths <= 1_000 ? thousandths : nil
  }

  private static func normalized(_ part: Substring.UTF8View) -> String {
    String(decoding: part.filter { !ASCII.isWhitespace($0) }.map(ASCII.lowercased), as: UTF8.self)
  }
}
