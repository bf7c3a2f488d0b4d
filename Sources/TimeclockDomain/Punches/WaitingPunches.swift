/// The punches of a member that wait for a clock-out: beginnings that could not be made on their own any more, and the
/// punches noted after them. They are kept as the answers to requests are, under a name of the member's.
package struct WaitingPunches: Sendable {
  /// A punch that waits.
  package struct One: Hashable, Sendable {
    package var punch: Punch
    /// Whether it is a beginning that was refused.
    package var isOpening: Bool

    package init(punch: Punch, isOpening: Bool) {
      self.punch = punch
      self.isOpening = isOpening
    }
  }

  /// How often they have changed; each change is one request's.
  package var number: Int64 = 0
  /// In the order of their times.
  package var punches: [One] = []

  package init(number: Int64 = 0, punches: [One] = []) {
    self.number = number
    self.punches = punches
  }

  /// The most punches that wait of a member; those beyond are refused.
  package static let maximumCount = 100
}

extension WaitingPunches {
  /// In stored form: texts one behind the other, each behind its length in bytes, and `-` for a missing one.
  package var bytes: [UInt8] {
    var writer = TextsWriter()
    writer.add("\(number)")
    for one in punches {
      let punch = one.punch
      writer.add(punch.id.text)
      writer.add(punch.kind.rawValue)
      writer.add("\(punch.time.millisecondsSince1970)")
      writer.add(one.isOpening ? "" : nil)
      for text in [
        punch.timeZone, punch.sessionID?.text, punch.notes, punch.purpose.projectID?.text,
        punch.purpose.taskID?.text, punch.purpose.breakTypeID?.text, punch.name,
      ] {
        writer.add(text)
      }
    }
    return writer.bytes
  }

  /// Reads the form of `bytes`; anything else ends it.
  package init(_ bytes: [UInt8]) {
    var reader = TextsReader(bytes[...])
    number = reader.next().flatMap { $0 }.flatMap { Int64($0) } ?? 0
    while let one = Self.one(&reader) { punches.append(one) }
  }

  private static func one(_ reader: inout TextsReader) -> One? {
    guard let id = reader.stated().flatMap({ PunchID($0) }),
      let kind = reader.stated().flatMap({ Punch.Kind(rawValue: $0) }),
      let time = reader.stated().flatMap({ Int64($0) }), let opening = reader.next(),
      let timeZone = reader.next(), let session = reader.next(), let notes = reader.next(),
      let project = reader.next(), let task = reader.next(), let breakType = reader.next(),
      let name = reader.next()
    else { return nil }
    let purpose = SegmentPurpose(
      projectID: project.flatMap { ProjectID($0) }, taskID: task.flatMap { TaskID($0) },
      breakTypeID: breakType.flatMap { BreakTypeID($0) })
    return One(
      punch: Punch(
        id: id, kind: kind, time: Instant(millisecondsSince1970: time), timeZone: timeZone,
        sessionID: session.flatMap { SessionID($0) }, notes: notes, purpose: purpose, name: name),
      isOpening: opening != nil)
  }
}

private struct TextsWriter {
  var bytes: [UInt8] = []

  mutating func add(_ text: String?) {
    guard let text else { return bytes.append(UInt8(ascii: "-")) }
    let content = Array(text.utf8)
    bytes += Array("\(content.count):".utf8) + content
  }
}

private struct TextsReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// The next text, or that it is not stated; nil at the end.
  mutating func next() -> String?? {
    if rest.first == UInt8(ascii: "-") {
      rest.removeFirst()
      return .some(nil)
    }
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")),
      let count = Int(String(decoding: rest[..<colon], as: UTF8.self)), count >= 0,
      count <= rest.endIndex - colon - 1
    else { return nil }
    let start = colon + 1
    defer { rest = rest[(start + count)...] }
    return .some(String(decoding: rest[start..<(start + count)], as: UTF8.self))
  }

  mutating func stated() -> String? { next().flatMap { $0 } }
}
