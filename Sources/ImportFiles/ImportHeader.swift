import TimeclockDomain

/// The places of a format's columns in a file.
struct ImportHeader: Sendable {
  let format: ImportFormat
  let count: Int
  private let names: [String]
  private var places: [ImportColumn: Int] = [:]

  /// - Throws: `ImportFileError.malformed` if a column that the format needs is missing, or stands twice.
  init(_ names: [String], format: ImportFormat) throws {
    self.format = format
    self.names = names
    count = names.count
    let keys = names.map(Self.key)
    for column in ImportColumn.allCases {
      // A file may have two columns that could be this one; the usual name comes first.
      for name in column.names(in: format).map(Self.key) {
        let found = keys.indices.filter { keys[$0] == name }
        guard found.count <= 1 else {
          throw ImportFileError.malformed(
            "The first line has the column \"\(Self.shown(names[found[0]]))\" twice.")
        }
        if let place = found.first, places[column] == nil { places[column] = place }
      }
    }
    for columns in format.requiredColumns where columns.allSatisfy({ places[$0] == nil }) {
      let wanted = columns.map { "\"\($0.names(in: format)[0])\"" }.joined(separator: " and no column ")
      throw ImportFileError.malformed(
        """
        The first line has no column \(wanted), so this is no \(format.rawValue) file. It has to be comma-separated text \
        with the names of the columns in the first line.
        """)
    }
  }

  /// The names of the columns of which nothing is read, as a message quotes them, each once.
  var ignoredNames: [String] {
    let read = Set(places.values)
    var seen: Set<String> = []
    let ignored = names.indices.filter { !read.contains($0) }.map { Self.shown(names[$0]) }
    return Array(ignored.filter { !$0.isEmpty && seen.insert($0).inserted }.prefix(Self.shownLimit))
  }

  /// The most columns that a report names.
  private static let shownLimit = 100

  func place(of column: ImportColumn) -> Int? { places[column] }

  /// Returns the name of a column in the file, or its usual one.
  func name(of column: ImportColumn) -> String {
    places[column].map { Self.shown(names[$0]) } ?? column.names(in: format).first ?? ""
  }

  /// The fields that every row has: a file may leave out the empty ones at the end of a row, and no row is without those
  /// that its format needs.
  var leastCount: Int {
    let needed = format.requiredColumns.filter { $0.count == 1 }.compactMap { places[$0[0]] }
    return (needed.max() ?? 0) + 1
  }

  private static func shown(_ name: String) -> String { Text.quotable(Text.trimmed(name)) }

  /// The name as names of columns are compared: without capitals, spaces, hyphens and underscores.
  static func key(_ name: String) -> String {
    String(name.lowercasedASCII.unicodeScalars.filter { !" _-\u{A0}".unicodeScalars.contains($0) })
  }
}

/// A row's fields by their columns.
struct ImportFields {
  let header: ImportHeader
  let fields: [String]

  /// Returns the text without spaces around it; empty if the file has no such column, or a mark that says so.
  subscript(_ column: ImportColumn) -> String {
    guard let place = header.place(of: column), place < fields.count else { return "" }
    let text = Text.trimmed(SpreadsheetNumber.unwrapped(fields[place]))
    // The service's own exports protect texts that spreadsheets would calculate.
    guard header.format != .generic else { return Text.trimmed(SpreadsheetFormula.unprotected(text)) }
    return text == header.format.emptyMark ? "" : text
  }

  /// Whether all fields are empty, as in the rows at the end of a sheet.
  var isBlank: Bool { fields.allSatisfy { Text.trimmed($0).isEmpty } }
}

extension String {
  /// The text with the capital letters of ASCII in lower case.
  var lowercasedASCII: String {
    String(decoding: utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
