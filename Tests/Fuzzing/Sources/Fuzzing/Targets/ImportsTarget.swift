import TimeclockDomain

@testable import ImportFiles

/// Files of every format: each record of the text is a row or a refusal with its line, however the file is cut, and
/// every row can be asked for its times.
enum ImportsTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let choice = input.choose(below: ImportFormat.allCases.count * 2)
    var options = ImportFileOptions(format: ImportFormat.allCases[choice / 2])
    if choice % 2 == 1 {
      options.dayStart = DayStart("22:30")
      options.projects = .create
    }
    options.dateOrder = [nil, DateOrder.dayFirst, .monthFirst][input.choose(below: 3)]
    let cuts = input.chooseCuts()
    let bytes = input.rest
    checkText(bytes, cuts)
    let whole = outcome([bytes], options)
    let cut = outcome(bytes.pieces(cuts), options)
    require(cut == whole, "cut \(cuts): \(cut), whole: \(whole)")
    guard case .success(let lines) = whole else { return }
    let text = decoded(bytes)
    let records = DelimitedTextModel(text, delimiter: DelimitedTextReader.delimiter(in: text)).records
    require(lines.map(\.line) == lines.map(\.line).sorted(), "lines out of order")
    let shown = Set((isFaulty ? lines.filter { (try? $0.row.get()) != nil } : lines).map(\.line))
    // Rows without text are none, and of TimeTagger's report headings are none either.
    let expected = records.dropFirst().filter { !isBlank($0) }.map(\.line)
    require(shown.isSubset(of: expected), "lines \(shown) of \(records)")
    require(options.format == .timetagger || shown.count == expected.count, "lines \(shown) of \(records)")
    for line in lines { checkRow(line) }
  }

  /// The file as UTF-8.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var survey = EncodingSurvey()
    survey.read(bytes)
    var decoder = ImportTextDecoder(isWindows1252: survey.isWindows1252)
    return decoder.read(bytes) + decoder.finish()
  }

  private static func isBlank(_ record: DelimitedRecord) -> Bool {
    guard case .success(let fields) = record.fields else { return false }
    return fields.joined().unicodeScalars.allSatisfy(\.properties.isWhitespace)
  }

  /// The outcome of a line, to be compared.
  struct Line: Hashable {
    var line: Int
    var row: Result<ImportRow, ImportRefusal>
  }

  private static func outcome(
    _ pieces: [[UInt8]], _ options: ImportFileOptions
  ) -> Result<[Line], ImportFileError> {
    do {
      var survey = ImportFileSurvey(options)
      for piece in pieces { try survey.read(piece) }
      var reader = ImportFileReader(options, try survey.finish())
      let lines = try pieces.flatMap { try reader.read($0) } + reader.finish()
      return .success(lines.map { Line(line: $0.line, row: $0.row) })
    } catch let error as ImportFileError {
      return .failure(error)
    } catch {
      fatalError("finding: \(error)")
    }
  }

  private static func checkRow(_ line: Line) {
    switch line.row {
    case .failure(let refusal): require(!refusal.detail.isEmpty, "a refusal without a word")
    case .success(let row):
      for time in row.statedTimes {
        guard case .local(let local) = time else { continue }
        require(
          (0..<86_400_000).contains(local.millisecondOfDay), "the time of day \(local.millisecondOfDay)")
      }
      for zone in FuzzedZones.all { ImportTimesCheck.check(row, in: zone) }
    }
  }

  /// The reader of comma-separated values alone, with a limit that short inputs reach.
  private static func checkText(_ bytes: [UInt8], _ cuts: [Int]) {
    for delimiter in [UInt8(ascii: ","), UInt8(ascii: "\t")] {
      var reader = DelimitedTextReader(delimiter: delimiter, recordByteLimit: 24)
      var records: [DelimitedRecord] = []
      for piece in bytes.pieces(cuts) { reader.read(piece, into: &records) }
      reader.finish(into: &records)
      let expected = DelimitedTextModel(bytes, delimiter: delimiter, recordByteLimit: 24).records
      require(records == expected, "\(records), expected \(expected)")
    }
  }
}
