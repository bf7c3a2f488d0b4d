import TimeclockDomain

@testable import ImportFiles

/// Files of every format: each record of the text is a row or a refusal with its line, however the file is cut, and
/// every row can be asked for its times.
enum ImportsTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let format = ImportFormat.allCases[input.choose(below: ImportFormat.allCases.count)]
    let order = [nil, DateOrder.dayFirst, .monthFirst][input.choose(below: 3)]
    let cuts = input.chooseCuts()
    let bytes = input.rest
    checkText(bytes, cuts)
    let whole = outcome([bytes], format, order)
    let cut = outcome(bytes.pieces(cuts), format, order)
    require(cut == whole, "cut \(cuts): \(cut), whole: \(whole)")
    guard case .success(let lines) = whole else { return }
    let records = DelimitedTextModel(bytes, delimiter: DelimitedTextReader.delimiter(in: bytes)).records
    let shown = isFaulty ? lines.filter { (try? $0.row.get()) != nil } : lines
    require(shown.map(\.line) == records.dropFirst().map(\.line), "lines \(shown.map(\.line)) of \(records)")
    for line in lines { checkRow(line) }
  }

  /// What came of a line, to be compared.
  struct Line: Hashable {
    var line: Int
    var row: Result<ImportRow, ImportRefusal>
  }

  private static func outcome(
    _ pieces: [[UInt8]], _ format: ImportFormat, _ order: DateOrder?
  ) -> Result<[Line], ImportFileError> {
    do {
      var survey = ImportFileSurvey(format: format, dateOrder: order)
      for piece in pieces { try survey.read(piece) }
      var reader = ImportFileReader(format: format, dateOrder: try survey.finish())
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
