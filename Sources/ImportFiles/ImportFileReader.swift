import TimeclockDomain

/// Reads a file's rows in its format piece by piece; knows no file.
package struct ImportFileReader: Sendable {
  private let format: ImportFormat
  private let dateOrder: DateOrder
  private var records: ImportRecords

  /// - Parameter dateOrder: The order that `ImportFileSurvey` has found.
  package init(format: ImportFormat, dateOrder: DateOrder) {
    self.format = format
    self.dateOrder = dateOrder
    records = ImportRecords(format: format)
  }

  /// Returns the rows that end in a piece of the file.
  ///
  /// - Throws: `ImportFileError.malformed` if the first line is not in the format.
  package mutating func read(_ bytes: some Collection<UInt8>) throws -> [ImportLine] {
    try records.read(bytes).map(line)
  }

  /// Returns the row that ends with the file.
  ///
  /// - Throws: `ImportFileError.malformed`.
  package mutating func finish() throws -> [ImportLine] {
    try records.finish().map(line)
  }

  private func line(_ record: ImportRecords.Record) -> ImportLine {
    ImportLine(
      line: record.line,
      row: Result {
        try format.row(record.fields.get(), dateOrder)
      }.mapError { $0 as? ImportRefusal ?? .malformed("The row cannot be read.") })
  }
}

/// Surveys a whole file before it is imported.
package struct ImportFileSurvey: Sendable {
  private let format: ImportFormat
  private let dateOrder: DateOrder?
  private var records: ImportRecords
  private var survey = DateOrderSurvey()

  /// - Parameter dateOrder: The stated order; nil if the file itself has to determine it.
  package init(format: ImportFormat, dateOrder: DateOrder?) {
    self.format = format
    self.dateOrder = dateOrder
    records = ImportRecords(format: format)
  }

  /// Surveys a piece of the file.
  ///
  /// - Throws: `ImportFileError.malformed`.
  package mutating func read(_ bytes: some Collection<UInt8>) throws {
    note(try records.read(bytes))
  }

  /// Returns the order in which the file writes dates.
  ///
  /// - Throws: `ImportFileError`.
  package mutating func finish() throws -> DateOrder {
    note(try records.finish())
    return try dateOrder ?? survey.order()
  }

  private mutating func note(_ records: [ImportRecords.Record]) {
    for record in records {
      guard let fields = try? record.fields.get() else { continue }
      for date in format.dates(fields) { survey.note(date) }
    }
  }
}

extension ImportFileReader {
  /// Returns all rows of a complete file.
  ///
  /// - Parameter dateOrder: The stated order; nil if the file itself has to determine it.
  /// - Throws: `ImportFileError`.
  package static func lines(
    of bytes: [UInt8], format: ImportFormat, dateOrder: DateOrder?
  ) throws -> [ImportLine] {
    var survey = ImportFileSurvey(format: format, dateOrder: dateOrder)
    try survey.read(bytes)
    var reader = ImportFileReader(format: format, dateOrder: try survey.finish())
    return try reader.read(bytes) + reader.finish()
  }
}

/// The records of a file after its first line, by its columns. Rows without any text are left out.
struct ImportRecords: Sendable {
  struct Record {
    var line: Int
    var fields: Result<ImportFields, ImportRefusal>
  }

  private let format: ImportFormat
  /// The beginning of the file, until it determines the delimiter.
  private var beginning: [UInt8] = []
  private var survey = DelimiterSurvey()
  private var reader: DelimitedTextReader?
  private var header: ImportHeader?

  init(format: ImportFormat) {
    self.format = format
  }

  /// Returns the records that end in a piece of the file. Throws `ImportFileError.malformed` for the first line.
  mutating func read(_ bytes: some Collection<UInt8>) throws -> [Record] {
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
    var found: [DelimitedRecord] = []
    if reader == nil { begin(&found) }
    reader?.finish(into: &found)
    let records = try records(found)
    guard header != nil else { throw ImportFileError.malformed("The file is empty.") }
    return records
  }

  private mutating func begin(_ found: inout [DelimitedRecord]) {
    var reader = DelimitedTextReader(delimiter: survey.delimiter)
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
      .malformed("The row has \(count) \(count == 1 ? "field" : "fields"), and the first line has \(columns)."))
  }

  private mutating func records(_ found: [DelimitedRecord]) throws -> [Record] {
    var found = found[...]
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
        return fields.isBlank ? nil : Record(line: record.line, fields: Self.complete(fields))
      }
    }
  }
}
