/// A query by the words of the contract: `name=value` pairs between `&`, percent-encoded UTF-8, each name once and of
/// ASCII.
struct QueryModel {
  private(set) var parameters: [String: String] = [:]
  private(set) var names: [String] = []
  private(set) var isValid = true

  /// - Parameter takesPlusForSpace: The planted fault.
  init(_ query: String, takesPlusForSpace: Bool) {
    guard !query.isEmpty else { return }
    let query = takesPlusForSpace ? query.replacing("+", with: " ") : query
    for pair in query.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false) {
      let name = pair.prefix { $0 != "=" }
      let value = pair.dropFirst(name.count + 1)
      guard let name = Self.decoded(name),
        let value = Self.decoded(value),
        name.unicodeScalars.allSatisfy(\.isASCII)
      else {
        isValid = false
        continue
      }
      if parameters[name] != nil { isValid = false }
      parameters[name] = value
      names.append(name)
    }
  }

  /// The text behind percent signs, each of which two hexadecimal digits have to follow.
  static func decoded(_ encoded: some Collection<Unicode.Scalar>) -> String? {
    let parts = encoded.split(separator: "%", omittingEmptySubsequences: false).map {
      String.UnicodeScalarView($0)
    }
    var bytes = Array(String(parts[0]).utf8)
    for part in parts.dropFirst() {
      let digits = part.prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Character($0).isHexDigit && $0.isASCII }),
        let byte = UInt8(String(String.UnicodeScalarView(digits)), radix: 16)
      else { return nil }
      bytes += [byte] + Array(String(String.UnicodeScalarView(part.dropFirst(2))).utf8)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf8.elementsEqual(bytes) ? text : nil
  }
}
