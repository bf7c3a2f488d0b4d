import FoundationEssentials

/// The methods that a storage has: those that the storage protocol requires, and the procedures that extend it, as their
/// source says.
package enum StorageRequirements {
  /// The reason why the methods cannot be read from the source.
  package struct Unreadable: Error, CustomStringConvertible {
    package let description: String
  }

  /// The full names, such as `profile(of:)`, of the methods of `Storage`, of every protocol that it consists of, and of
  /// the procedures; all but those that run procedures.
  package static func names() throws -> [String] {
    let required = try required()
    return try required + procedures(in: source()).filter { !required.contains($0) && !parts.contains($0) }
  }

  /// The full names of the methods that each storage implements, but for those that run procedures.
  package static func required() throws -> [String] {
    try names(of: "Storage", in: source()).filter { !running.contains($0) }
  }

  /// The methods that run procedures, and the one that announces their changes.
  private static let running = ["read(_:_:in:limit:_:)", "write(_:recording:_:)", "announce(_:)"]

  /// The procedures that only methods of the storages call.
  private static let parts = [
    "storedAuthentication(_:_:at:)", "takePersonalData(of:in:context:recording:)", "inOrganizationRanges(_:)",
  ]

  private static func source() throws -> String {
    let procedures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/Procedures")
    let files = try FileManager.default.subpathsOfDirectory(atPath: procedures.path).filter {
      $0.hasSuffix(".swift")
    }
    return try files.map { try String(contentsOf: procedures.appending(path: $0), encoding: .utf8) }
      .joined(separator: "\n")
  }

  /// The full names of the methods with package access that extend the storage protocol.
  package static func procedures(in source: String) throws -> [String] {
    let blocks = try Regex("\\bextension Storage \\{\\n((?:.*\\n)*?)\\}\\n", as: (Substring, Substring).self)
    return try source.matches(of: blocks).flatMap { match in
      let code = code(of: match.1)
      return try code.matches(of: /\bpackage func (\w+)/).map { method in
        "\(method.1)(\(try labels(in: code[method.range.upperBound...]).map { "\($0):" }.joined()))"
      }
    }
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
    let code = code(of: body)
    // A requirement of another kind would have no place in the catalogue.
    if let other = code.firstMatch(of: /\b(?:var|init|subscript|static)\b/) {
      throw Unreadable(
        description: "a protocol of the storage has a requirement that is no method: \(other.0)")
    }
    return try code.matches(of: /\bfunc (\w+)/).map { match in
      "\(match.1)(\(try labels(in: code[match.range.upperBound...]).map { "\($0):" }.joined()))"
    }
  }

  /// The lines of a declaration's body without those of comments.
  private static func code(of body: Substring) -> String {
    body.split(separator: "\n").filter {
      !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//")
    }
    .joined(separator: " ")
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
