import TimeclockDomain

/// Reads a file's rows in its format piece by piece; knows no file.
package struct ImportFileReader: Sendable {
  private var records: ImportRecords
  private var rows: ImportRowReader

  /// - Parameter shape: The shape that `ImportFileSurvey` has found.
  package init(_ options: ImportFileOptions, _ shape: ImportFileShape) {
    records = ImportRecords(format: options.format, isWindows1252: shape.isWindows1252)
    rows = ImportRowReader(options, dateOrder: shape.dateOrder)
  }

  /// Returns the rows that end in a piece of the file.
  ///
  /// - Throws: `ImportFileError.malformed` if the first line is not in the format.
  package mutating func read(_ bytes: some Collection<UInt8>) throws -> [ImportLine] {
    lines(try records.read(bytes))
  }

  /// Returns the row that ends with the file.
  ///
  /// - Throws: `ImportFileError.malformed`.
  package mutating func finish() throws -> [ImportLine] {
    lines(try records.finish())
  }

  private mutating func lines(_ records: [ImportRecords.Record]) -> [ImportLine] {
    records.map { record in
      let row = Result { try rows.row(record.fields.get()) }
      return ImportLine(
        line: record.line,
        row: row.mapError { $0 as? ImportRefusal ?? .malformed("The row cannot be read.") })
    }
  }
}

/// Surveys a whole file before it is imported.
package struct ImportFileSurvey: Sendable {
  private let options: ImportFileOptions
  private var records: ImportRecords
  private var dates = DateOrderSurvey()
  private var encoding = EncodingSurvey()
  /// The number of rows so far.
  package private(set) var rowCount = 0

  package init(_ options: ImportFileOptions) {
    self.options = options
    // Dates and the names of columns are ASCII in every encoding.
    records = ImportRecords(format: options.format, isWindows1252: false, repairsText: true)
  }

  /// Surveys a piece of the file.
  ///
  /// - Throws: `ImportFileError.malformed`.
  package mutating func read(_ bytes: some Collection<UInt8>) throws {
    encoding.read(bytes)
    note(try records.read(bytes))
  }

  /// Returns the shape of the file.
  ///
  /// - Throws: `ImportFileError`.
  package mutating func finish() throws -> ImportFileShape {
    note(try records.finish())
    // In the encoding that the whole file turns out to have, which the survey does not know while it reads the names.
    return ImportFileShape(
      dateOrder: try options.dateOrder ?? dates.order(), isWindows1252: encoding.isWindows1252,
      ignoredColumns: records.header?.ignoredNames ?? [])
  }

  private mutating func note(_ records: [ImportRecords.Record]) {
    rowCount += records.count
    for record in records {
      guard let fields = try? record.fields.get() else { continue }
      for date in options.format.dates(fields) { dates.note(date) }
    }
  }
}

extension ImportFileReader {
  /// Returns all rows of a complete file.
  ///
  /// - Throws: `ImportFileError`.
  package static func lines(of bytes: [UInt8], _ options: ImportFileOptions) throws -> [ImportLine] {
    var survey = ImportFileSurvey(options)
    try survey.read(bytes)
    var reader = ImportFileReader(options, try survey.finish())
    return try reader.read(bytes) + reader.finish()
  }
}
