import FoundationEssentials

/// The methods that the storage protocol requires, as its source says.
package enum StorageRequirements {
  /// Why the methods cannot be told from the source.
  package struct Unreadable: Error, CustomStringConvertible {
    package let description: String
  }

  /// The full names, such as `profile(of:)`, of the methods of `Storage` and of every protocol that it consists of.
  package static func names() throws -> [String] {
    let domain = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/TimeclockDomain")
    let files = try FileManager.default.subpathsOfDirectory(atPath: domain.path).filter {
      $0.hasSuffix(".swift")
    }
    let texts = try files.map { try String(contentsOf: domain.appending(path: $0), encoding: .utf8) }
    return try names(of: "Storage", in: texts.joined(separator: "\n"))
  }

  /// The full names of the methods of a protocol, and of every protocol that it consists of.
  ///
  /// - Parameter source: Closes each protocol with a brace in the first column.
  package static func names(of name: String, in source: String) throws -> [String] {
    let declaration = try Regex(
      "\\bprotocol \(name)\\b(?::([^{]*))? *\\{\\n((?:.*\\n)*?)\\}\\n",
      as: (Substring, Substring?, Substring).self)
    guard let match = source.firstMatch(of: declaration) else {
      throw Unreadable(description: "there is no protocol \(name)")
    }
    let parents = (match.1 ?? "").split { !$0.isLetter }.filter { $0 != "Sendable" }
    return try parents.flatMap { try names(of: String($0), in: source) } + methods(in: match.2)
  }

  private static func methods(in body: Substring) throws -> [String] {
    let code = body.split(separator: "\n").filter {
      !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//")
    }
    .joined(separator: " ")
    // A requirement of another kind would have no place in the catalogue.
    if let other = code.firstMatch(of: /\b(?:var|init|subscript|static|associatedtype)\b/) {
      throw Unreadable(
        description: "a protocol of the storage has a requirement that is no method: \(other.0)")
    }
    return try code.matches(of: /\bfunc (\w+)/).map { match in
      "\(match.1)(\(try labels(in: code[match.range.upperBound...]).map { "\($0):" }.joined()))"
    }
  }

  /// The labels of the parameters in the first parentheses.
  private static func labels(in code: Substring) throws -> [Substring] {
    guard let opening = code.firstIndex(of: "(") else {
      throw Unreadable(description: "no parameters: \(code)")
    }
    var depth = 0
    var begins = [code.index(after: opening)]
    for place in code[opening...].indices {
      switch code[place] {
      case "(", "[": depth += 1
      case ")", "]":
        depth -= 1
        guard depth > 0 else { return begins.compactMap { label(in: code[$0..<place]) } }
      case "," where depth == 1: begins.append(code.index(after: place))
      default: break
      }
    }
    throw Unreadable(description: "parameters without an end: \(code)")
  }

  private static func label(in parameter: Substring) -> Substring? {
    parameter.split { " :".contains($0) }.first
  }
}
