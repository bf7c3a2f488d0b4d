import HTTPMessages
import ImportFiles
import TimeclockDomain

/// A file of people to add: a header line with the names of members of a request to add one, and a line for each person.
///
/// Encoding and delimiter are found out (`DelimitedText`). Names of columns are compared without capitals, spaces, hyphens
/// and underscores. Empty cells state nothing; lines without any text are left out.
struct MemberFile {
  /// The line at which each person begins, from 1 on.
  let lines: [Int]
  /// The request's `members`, as a body of JSON would have them.
  let members: [JSONValue]

  private static let columns = [
    "email", "name", "role", "timeZone", "personnelNumber", "password", "mustChangePassword",
  ]
  private static let requiredColumns = ["email", "name"]
  /// The other names of columns, as they are compared.
  private static let aliases = [
    "mail": "email", "emailaddress": "email", "fullname": "name", "zone": "timeZone", "tz": "timeZone",
    "staffnumber": "personnelNumber", "employeenumber": "personnelNumber",
  ]

  /// - Throws: `RequestError.unreadableFile` for what is no such file.
  init(_ text: [UInt8]) throws {
    let records = DelimitedText.records(of: text)
    guard let first = records.first else { throw Self.malformed("The file is empty.") }
    let header = try Self.header(Self.fields(of: first))
    var lines: [Int] = []
    var members: [JSONValue] = []
    for record in records.dropFirst() {
      let fields = try Self.fields(of: record)
      guard fields.count <= header.count else {
        throw Self.malformed("Line \(record.line) has more fields than the first line.")
      }
      guard fields.contains(where: { !Text.trimmed($0).isEmpty }) else { continue }
      lines.append(record.line)
      members.append(.object(Self.person(zip(header, fields))))
    }
    self.lines = lines
    self.members = members
  }

  private static func fields(of record: DelimitedRecord) throws -> [String] {
    switch record.fields {
    case .success(let fields): return fields
    case .failure(let fault): throw malformed("Line \(record.line): \(fault.detail)")
    }
  }

  /// The columns in their order.
  private static func header(_ fields: [String]) throws -> [String] {
    var header: [String] = []
    for field in fields {
      let key = key(field)
      guard let column = columns.first(where: { self.key($0) == key }) ?? aliases[key] else {
        throw unknown(Text.trimmed(field), number: header.count + 1)
      }
      guard !header.contains(column) else {
        throw malformed("The first line has the column \(column) twice.")
      }
      header.append(column)
    }
    for column in requiredColumns where !header.contains(column) {
      throw malformed("The first line has no column \(column).")
    }
    return header
  }

  /// The name as it is compared.
  private static func key(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "_" && $0 != "-" }))
  }

  private static func unknown(_ name: String, number: Int) -> RequestError {
    let nearest = SimilarNames.nearest(to: name, among: columns).map { "; \($0) is the nearest" } ?? ""
    return malformed(
      """
      Column \(number) of the first line, "\(Text.quotable(name))", is none of \(columns.joined(separator: ", "))\(nearest).
      """)
  }

  /// The members of the request that a line states. A line without a role adds a member.
  private static func person(_ cells: Zip2Sequence<[String], [String]>) -> [JSONValue.Member] {
    var stated = cells.compactMap { column, cell -> JSONValue.Member? in
      let text = column == "password" ? cell : Text.trimmed(cell)
      guard !text.isEmpty else { return nil }
      return JSONValue.Member(name: column, value: value(text, in: column))
    }
    if !stated.contains(where: { $0.name == "role" }) {
      stated.append(JSONValue.Member(name: "role", value: .string(Role.member.rawValue)))
    }
    return stated
  }

  private static func value(_ text: String, in column: String) -> JSONValue {
    guard column == "mustChangePassword" else { return .string(text) }
    return switch text.lowercased() {
    case "true": .bool(true)
    case "false": .bool(false)
    default: .string(text)
    }
  }

  private static func malformed(_ detail: String) -> RequestError { .unreadableFile(.malformed(detail)) }

  /// A fault of a member, with the line of the file.
  func placed(_ fault: ProblemDetail) -> ProblemDetail {
    let parts = fault.location.split(separator: "/")
    guard parts.first == "members", parts.count > 1, let index = Int(parts[1]), lines.indices.contains(index)
    else { return fault }
    var placed = fault
    placed.detail = "in line \(lines[index]) \(fault.detail)"
    return placed
  }
}
