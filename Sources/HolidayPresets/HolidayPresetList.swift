import CHolidayPresets
import TimeclockDomain

/// The places of the presets in `holidays.txt`, whose form `scripts/list-holidays` says.
///
/// Only the places are kept: the text is a constant of the program, which leaves the memory while nobody reads it.
struct HolidayPresetList: Sendable {
  typealias Preset = HolidayPresets.Preset

  /// By the bytes of their ids.
  let presets: [Preset]
  /// The lines of each preset's holidays, as places in the text.
  private let lines: [String: [Range<Int>]]

  /// The list of the program's own text, made when it is first asked for.
  static let embedded = HolidayPresetList()

  /// The text. It is there as long as the process, and nobody writes to it.
  private static var text: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: holiday_presets_bytes(), count: holiday_presets_length())
  }

  private init() {
    var presets: [Preset] = []
    var lines: [String: [Range<Int>]] = [:]
    for line in Self.text.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      if let preset = Self.preset(line) {
        presets.append(preset)
        lines[preset.id] = []
      } else if let id = presets.last?.id {
        lines[id, default: []].append(line.startIndex..<line.endIndex)
      }
    }
    self.presets = presets.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    self.lines = lines
  }

  /// Reads `@ID LAST_YEAR NAME`; nil for any other line.
  private static func preset(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Preset? {
    guard line.first == UInt8(ascii: "@") else { return nil }
    let parts = line.dropFirst().split(separator: UInt8(ascii: " "), maxSplits: 2)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3, let lastYear = Int(parts[1]) else { return nil }
    return Preset(id: parts[0], name: parts[2], lastYear: lastYear)
  }

  /// Returns the holidays of a preset in all years, by date; none if the id is unknown.
  func holidays(of id: String) -> [StatedHoliday] {
    guard let own = lines[id] else { return [] }
    let country = String(id.prefix(2))
    var found: [LocalDate: StatedHoliday] = [:]
    if country != id { read(lines[country] ?? [], into: &found) }
    read(own, into: &found)
    return found.values.sorted { $0.date < $1.date }
  }

  private func read(_ lines: [Range<Int>], into found: inout [LocalDate: StatedHoliday]) {
    for place in lines {
      var line = Self.text[place]
      let isRemoval = line.first == UInt8(ascii: "-")
      let isHalf = line.first == UInt8(ascii: "/")
      if isRemoval || isHalf { line.removeFirst() }
      let end = line.firstIndex(of: UInt8(ascii: "\t")) ?? line.endIndex
      let name = String(decoding: line[end...].dropFirst(), as: UTF8.self)
      for text in line[..<end].split(separator: UInt8(ascii: " ")) {
        guard let date = Self.date(text) else { continue }
        found[date] = isRemoval ? nil : StatedHoliday(date: date, name: name, percent: isHalf ? 50 : 100)
      }
    }
  }

  /// Reads `yymmdd` of the years from 2000; nil for any other text.
  private static func date(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> LocalDate? {
    guard var cursor = ASCIICursor(text, byteLimit: 6), let year = cursor.number(digits: 2),
      let month = cursor.number(digits: 2), let day = cursor.number(digits: 2), cursor.isAtEnd
    else { return nil }
    return LocalDate(year: 2_000 + year, month: month, day: day)
  }
}
