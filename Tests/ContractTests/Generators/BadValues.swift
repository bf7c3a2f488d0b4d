@testable import ContractDocument

/// Values of the right type that a schema's other rules refuse.
enum BadValues {
  /// One or more values beyond each limit, format, pattern and enum of the schema.
  static func beyond(_ schema: JSONValue) -> [JSONValue] {
    var values: [JSONValue] = []
    if let limit = schema["minLength"]?.integer, limit > 0 {
      values.append(text(schema, length: Int(limit) - 1))
    }
    if let limit = schema["maxLength"]?.integer { values.append(text(schema, length: Int(limit) + 1)) }
    if let limit = schema["minimum"]?.integer { values += [.integer(limit - 1), .integer(.min)] }
    if let limit = schema["maximum"]?.integer { values += [.integer(limit + 1), .integer(.max)] }
    if let first = schema["enum"]?.elements.first?.string {
      values += [.string(first.uppercased()), .string(first + " "), "nonsense", ""]
    }
    if case .bool(let allowed)? = schema["enum"]?.elements.first, schema["enum"]?.elements.count == 1 {
      values.append(.bool(!allowed))
    }
    values += ofPattern(schema["pattern"]?.string).map { .string($0) }
    values += ofFormat(schema["format"]?.string).map { .string($0) }
    return values
  }

  private static func text(_ schema: JSONValue, length: Int) -> JSONValue {
    let end = schema["format"] == "email" ? "@example.com" : ""
    return .string(String(repeating: "x", count: max(0, length - end.count)) + end)
  }

  private static func ofPattern(_ pattern: String?) -> [String] {
    switch pattern {
    case "^[0-9a-f]{64}$":
      [63, 65].map { String(repeating: "a", count: $0) }
        + [" ", "A", "g", "\u{E9}"].map { String(repeating: "a", count: 63) + $0 }
    case let pattern? where pattern.hasPrefix("^[0-9a-f]{8}-"):
      [
        "nonsense", "", "019AA0F2-3C00-7A10-8B20-1C2D3E4F5A6B", "019aa0f23c007a108b201c2d3e4f5a6b",
        "019aa0f2-3c00-4a10-8b20-1c2d3e4f5a6b", "019aa0f2-3c00-7a10-cb20-1c2d3e4f5a6b",
        "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b ", "{019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b}",
      ]
    case let pattern? where pattern.hasPrefix("^[0-9A-Fa-f]{8}("):
      [
        "nonsense", "", "019aa0f23c007a108b201c2d3e4f5a6b", "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6g",
        "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b ", "{019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b}",
        "019aa0f2-3c00-7a10-8b201c2d3e4f5a6b", "019aa0f23-c00-7a10-8b20-1c2d3e4f5a6b",
      ]
    case let pattern? where pattern.hasPrefix("^([01][0-9]|2"):
      ["nonsense", "", "24:00", "9:00", "09:60", "09:00:00", "09:00 ", " 09:00", "0900", "09:0\u{FF10}"]
    case "^#[0-9A-Fa-f]{6}$":
      ["nonsense", "", "#007AF", "#007AFFF", "007AFF", "#007AFG", "#007AFF ", " #007AFF", "#00\u{FF17}AFF"]
    case let pattern? where pattern.hasPrefix("^part:"):
      [
        "nonsense", "", "part:0:up", "part:86401:up", "part:99999:up", "part:900", "part:900:",
        "part:0900:up",
        "part:900:UP", "part:-900:up", "part:9.5:up", "part:900:up ", "day:900:up", "part:900:up:up",
      ]
    default: []
    }
  }

  private static func ofFormat(_ format: String?) -> [String] {
    switch format {
    case "date-time":
      [
        "nonsense", "", "2026-11-20", "2026-11-20T09:00:00", "2026-02-30T09:00:00Z", "2026-11-20 09:00:00Z",
        "2026-11-20T24:00:00Z", "2026-11-20T09:00Z", "2026-11-20T09:00:00,5Z", "1899-12-31T23:59:59Z",
        "10000-01-01T00:00:00Z", "2026-11-20T09:00:00+2500", "2026-11-20T09:00:00Z ", "1763629200",
      ]
    case "date":
      [
        "nonsense", "", "2026-02-30", "2026-13-01", "2026-1-01", "1899-12-31", "20261120",
        "2026-11-20T00:00:00Z",
      ]
    case "email": ["nonsense", "@example.com", "a@", "a@b@c", "a b@example.com", "a@exam\nple.com"]
    default: []
    }
  }
}
