import HTTPMessages

/// Elements of the lists of clients' preferences, such as `text/csv;q=0.5` (RFC 9110, section 12.4.2).
enum WeightedElement {
  /// Reads an element; nil for one with an invalid weight.
  ///
  /// - Returns: The text before the first semicolon, in lower case, and the weight in thousandths: 1,000 if none is
  ///   stated.
  static func read(_ element: Substring.UTF8View.SubSequence) -> (name: Substring, thousandths: Int)? {
    let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(normalized)
    guard let name = parts.first, let weight = quality(of: parts.dropFirst()) else { return nil }
    return (name[...], weight)
  }

  /// Returns the weight among an element's parameters, in thousandths: 1,000 if none is stated, nil if it is invalid.
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
