import TimeclockDomain

@testable import ImportFiles

/// iCalendar files of holidays: each is holidays within the range, by date, or a refusal, and where its lines are folded
/// changes nothing.
enum CalendarsTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let first = LocalDate(daysSince1970: 20_454 + Int32(input.choose(below: 256)) * 4)
    let range = first...first.adding(days: input.choose(below: 256) * 8)
    let cuts = (0..<4).map { _ in 1 + input.choose(below: 75) }
    let bytes = input.rest
    let whole = outcome(bytes, range)
    var folded = outcome(folded(bytes, cuts), range)
    if isFaulty, case .success(let holidays) = folded { folded = .success(Array(holidays.dropFirst())) }
    switch (whole, folded) {
    case (.success(let holidays), .success(let same)):
      require(holidays == same, "\(holidays), and folded \(same)")
      require(holidays.map(\.date) == holidays.map(\.date).sorted(), "dates out of order")
      for holiday in holidays {
        require(range.contains(holiday.date), "\(holiday.date.iso8601) is out of the range")
        require((try? Name.validated(holiday.name)) == holiday.name, "the name \(holiday.name)")
      }
    case (.failure(let error), .failure(let same)):
      // Folding adds lines.
      require(error.detail == same.detail, "\(error), and folded \(same)")
      let count = bytes.count(where: { $0 == UInt8(ascii: "\n") }) + 1
      require((1...count).contains(error.line ?? 1), "the line \(error.line ?? 0) of \(count)")
    default: require(false, "\(whole), and folded \(folded)")
    }
  }

  private static func outcome(
    _ bytes: [UInt8], _ range: ClosedRange<LocalDate>
  ) -> Result<[CalendarFile.Holiday], CalendarFileError> {
    Result { () throws(CalendarFileError) in try CalendarFile.holidays(in: bytes, within: range) }
  }

  /// The same lines in CR LF, each in pieces of these lengths.
  private static func folded(_ bytes: [UInt8], _ cuts: [Int]) -> [UInt8] {
    // A byte order mark, so that none of the first line is taken for one.
    var folded: [UInt8] = [0xEF, 0xBB, 0xBF]
    for line in CalendarLines(bytes) {
      let pieces = line.bytes.pieces(cuts).filter { !$0.isEmpty }
      folded += pieces.joined(separator: [0x0D, 0x0A, 0x20])
      folded += [0x0D, 0x0A]
    }
    return folded
  }
}
