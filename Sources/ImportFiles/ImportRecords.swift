import TimeclockDomain

/// The records of a file after its first line, by its columns. Rows without any text, and headings, are left out.
struct ImportRecords: Sendable {
  struct Record {
    var line: Int
    var fields: Result<ImportFields, ImportRefusal>
  }

  private let format: ImportFormat
  private let repairsText: Bool
  private var decoder: ImportTextDecoder
  /// The beginning of the file, until it determines the delimiter.
  private var beginning: [UInt8] = []
  private var survey = DelimiterSurvey()
  private var reader: DelimitedTextReader?
  /// The columns; nil until the first line has been read.
  private(set) var header: ImportHeader?
  /// Whether a record has been read.
  private var hasBegun = false

  /// - Parameter repairsText: Whether fields may be in an encoding that is not known yet.
  init(format: ImportFormat, isWindows1252: Bool, repairsText: Bool = false) {
    self.format = format
    self.repairsText = repairsText
    decoder = ImportTextDecoder(isWindows1252: isWindows1252)
  }

  /// Returns the records that end in a piece of the file. Throws `ImportFileError.malformed` for the first line.
  mutating func read(_ bytes: some Collection<UInt8>) throws -> [Record] {
    try readText(decoder.read(bytes))
  }

  private mutating func readText(_ bytes: [UInt8]) throws -> [Record] {
    var found: [DelimitedRecord] = []
    guard reader == nil else {
      reader?.read(bytes, into: &found)
      return try records(found)
    }
    beginning += bytes
    survey.read(bytes)
    guard survey.isComplete else { return [] }
    begin(&found)
    return try records(found)
  }

  /// Returns the record that ends with the file. Throws `ImportFileError.malformed`.
  mutating func finish() throws -> [Record] {
    var records = try readText(decoder.finish())
    var found: [DelimitedRecord] = []
    if reader == nil { begin(&found) }
    reader?.finish(into: &found)
    records += try self.records(found)
    guard header != nil else { throw ImportFileError.malformed("The file is empty.") }
    return records
  }

  private mutating func begin(_ found: inout [DelimitedRecord]) {
    var reader = DelimitedTextReader(delimiter: survey.delimiter, repairsText: repairsText)
    reader.read(beginning, into: &found)
    beginning = []
    self.reader = reader
  }

  /// Refuses a row with more fields than there are columns, or with fewer than every row has.
  private static func complete(_ row: ImportFields) -> Result<ImportFields, ImportRefusal> {
    let (count, columns) = (row.fields.count, row.header.count)
    if count >= row.header.leastCount, row.fields.dropFirst(columns).allSatisfy({ $0.isEmpty }) {
      return .success(row)
    }
    return .failure(
      .malformed(
        "The row has \(count) \(count == 1 ? "field" : "fields"), and the first line has \(columns)."))
  }

  private mutating func records(_ found: [DelimitedRecord]) throws -> [Record] {
    var found = found[...]
    if !hasBegun, let first = found.first {
      hasBegun = true
      if first.statesDelimiter { found.removeFirst() }
    }
    if header == nil, let first = found.popFirst() {
      switch first.fields {
      case .success(let names): header = try ImportHeader(names, format: format)
      case .failure(let fault): throw ImportFileError.malformed("The first line: \(fault.detail)")
      }
    }
    guard let header else { return [] }
    return found.compactMap { record in
      switch record.fields {
      case .failure(let fault): return Record(line: record.line, fields: .failure(.malformed(fault.detail)))
      case .success(let texts):
        let fields = ImportFields(header: header, fields: texts)
        return fields.isBlank || format.isHeading(fields)
          ? nil : Record(line: record.line, fields: Self.complete(fields))
      }
    }
  }
}
