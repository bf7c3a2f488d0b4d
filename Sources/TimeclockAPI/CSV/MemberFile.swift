import HTTPMessages
import ImportFiles
import TimeclockDomain

/// A file of people to add: a header line with the names of members of a request to add one, and a line for each person.
///
/// Encoding and delimiter are found out (`DelimitedText`). Names of columns are compared without capitals, spaces,
/// hyphens and underscores. Empty cells state nothing; lines without any text are left out. Faults are collected and
/// reported together.
struct MemberFile {
  /// The line at which each person begins, from 1 on.
  let lines: [Int]
  /// The request's `members`, as a body of JSON would have them.
  let members: [JSONValue]
  /// Faults of lines that are no people, by line number.
  private let faults: [LineFault]
  /// The names of the columns in the file, by the members that they state.
  private let columnNames: [String: String]

  private typealias LineFault = (line: Int, fault: ProblemDetail)

  /// The members of a request, and the other names of their columns.
  private static let columns: [(member: String, names: [String])] = [
    ("email", PersonColumns.email), ("name", PersonColumns.name), (firstName, PersonColumns.firstName),
    (lastName, PersonColumns.lastName), ("role", ["Rolle"]), ("timeZone", ["zone", "tz", "Zeitzone"]),
    (
      "personnelNumber",
      ["staff number", "employee number", "personnel no", "Personalnummer", "Mitarbeiternummer"]
    ), ("password", ["Passwort"]), ("mustChangePassword", []),
  ]
  /// The two parts of a name, which no request has.
  private static let firstName = "firstName"
  private static let lastName = "lastName"

  private static let members: [String: String] = Dictionary(
    columns.flatMap { column in
      ([column.member] + column.names).map { (PersonColumns.key($0), column.member) }
    }, uniquingKeysWith: { first, _ in first })

  /// - Throws: `RequestError.invalidFile` for any other file: empty, or with other columns.
  init(_ text: [UInt8]) throws {
    let records = DelimitedText.records(of: text)
    guard let first = records.first else { throw Self.malformed(["The file is empty."]) }
    let names: [String]
    switch first.fields {
    case .success(let fields): names = fields
    case .failure(let fault): throw Self.malformed(["Line \(first.line): \(fault.detail)"])
    }
    let header = try Self.header(names)
    var lines: [Int] = []
    var members: [JSONValue] = []
    var faults: [LineFault] = []
    for record in records.dropFirst() {
      switch record.fields {
      case .failure(let fault):
        faults.append((record.line, Self.fault("Line \(record.line): \(fault.detail)")))
      case .success(let fields) where fields.count > header.count:
        let detail = "Line \(record.line) has more fields than the first line."
        faults.append((record.line, Self.fault(detail)))
      case .success(let fields):
        guard fields.contains(where: { !Text.trimmed($0).isEmpty }) else { continue }
        lines.append(record.line)
        members.append(.object(Self.person(zip(header, fields))))
      }
    }
    self.lines = lines
    self.members = members
    self.faults = faults
    columnNames = Dictionary(
      zip(header, names.map { Text.quotable(Text.trimmed($0)) }), uniquingKeysWith: { first, _ in first })
  }

  /// The member that each column states.
  private static func header(_ fields: [String]) throws -> [String] {
    var header: [String] = []
    var faults: [String] = []
    for (place, field) in fields.enumerated() {
      guard let member = members[PersonColumns.key(Text.trimmed(field))] else {
        faults.append(unknown(Text.trimmed(field), number: place + 1, after: faults.count))
        continue
      }
      if header.contains(member) { faults.append("The first line has the column \(member) twice.") }
      header.append(member)
    }
    if !header.contains("email") { faults.append("The first line has no column email.") }
    if !["name", firstName, lastName].contains(where: { header.contains($0) }) {
      faults.append("The first line has no column name, and none of first name and last name.")
    }
    guard faults.isEmpty else { throw malformed(faults) }
    return header
  }

  private static func unknown(_ name: String, number: Int, after count: Int) -> String {
    let known = columns.map(\.member)
    let nearest =
      count < ProblemDetail.shownLimit
      ? SimilarNames.nearest(to: name, among: known).map { "; \($0) is the nearest" } : nil
    return """
      Column \(number) of the first line, "\(Text.quotable(name))", is none of \(known.joined(separator: ", "))\(nearest ?? "").
      """
  }

  /// The members of the request that a line states. A line without a role adds a member.
  private static func person(_ cells: Zip2Sequence<[String], [String]>) -> [JSONValue.Member] {
    var stated: [JSONValue.Member] = []
    var parts: [String: String] = [:]
    for (member, cell) in cells {
      let text = member == "password" ? cell : Text.trimmed(cell)
      guard !text.isEmpty else { continue }
      if [firstName, lastName].contains(member) {
        parts[member] = text
      } else {
        stated.append(JSONValue.Member(name: member, value: value(text, in: member)))
      }
    }
    let name = [parts[firstName], parts[lastName]].compactMap { $0 }.joined(separator: " ")
    if !name.isEmpty, !stated.contains(where: { $0.name == "name" }) {
      stated.append(JSONValue.Member(name: "name", value: .string(name)))
    }
    if !stated.contains(where: { $0.name == "role" }) {
      stated.append(JSONValue.Member(name: "role", value: .string(Role.member.rawValue)))
    }
    return stated
  }

  private static func value(_ text: String, in member: String) -> JSONValue {
    guard member == "mustChangePassword" else { return .string(text) }
    return switch text.lowercased() {
    case "true": .bool(true)
    case "false": .bool(false)
    default: .string(text)
    }
  }

  /// Refuses the file for the faults of its lines, and for those that its people have as a body of JSON, in the order of the
  /// lines.
  ///
  /// - Throws: `RequestError.invalidFile`.
  func requireSound(_ found: [ProblemDetail]) throws {
    let all = faults + found.map(placed)
    guard !all.isEmpty else { return }
    throw RequestError.invalidFile(
      all.sorted { $0.line < $1.line }.map(\.fault), isMalformed: !faults.isEmpty)
  }

  /// A fault of a person, with the line of the file and the name of the column.
  private func placed(_ fault: ProblemDetail) -> LineFault {
    var placed = fault
    let parts = fault.location.split(separator: "/")
    guard parts.first == "members", parts.count > 1, let index = Int(parts[1]), lines.indices.contains(index)
    else {
      placed.detail = "\(fault.location) \(fault.detail)."
      return (0, placed)
    }
    let column = parts.dropFirst(2).joined(separator: "/")
    let place = column.isEmpty ? "" : ", \(columnNames[column] ?? column)"
    placed.detail = "Line \(lines[index])\(place): \(Self.words(fault.detail))."
    return (lines[index], placed)
  }

  /// `must be one of a, b, c` as a person says it.
  private static func words(_ detail: String) -> String {
    let beginning = "must be one of "
    guard detail.hasPrefix(beginning) else { return detail }
    let choices = detail.dropFirst(beginning.count).split(separator: ", ")
    guard let last = choices.last, choices.count > 1 else { return detail }
    return "must be \(choices.dropLast().joined(separator: ", ")) or \(last)"
  }

  private static func fault(_ detail: String) -> ProblemDetail {
    ProblemDetail(place: .file, location: "", code: "malformed", detail: detail)
  }

  private static func malformed(_ details: [String]) -> RequestError {
    .invalidFile(details.map(fault), isMalformed: true)
  }
}
