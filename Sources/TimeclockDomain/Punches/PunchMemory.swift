/// The part of a punch that is kept once it was applied: its effect for a queue that has it still, and the rows to take
/// it back.
package struct PunchMemory: Hashable, Sendable {
  package var effect: PunchEffect
  /// The instant at which it was applied, by the service's clock; nil if that was before punches could be taken back.
  package var appliedAt: Instant?
  /// The rows that it has changed, in the order of the changes; nil if it is not taken back on its own, for it was
  /// entered by hand together with others.
  package var rows: [ClockRow]?
  /// Whether it was taken back.
  package var isUndone = false

  package init(effect: PunchEffect, appliedAt: Instant, rows: [ClockRow]?) {
    self.effect = effect
    self.appliedAt = appliedAt
    self.rows = rows
  }

  /// The time for which a punch may be taken back once it was applied, in milliseconds.
  package static let undoTime: Int64 = 60_000

  /// The rows to take back, in the order of their changes.
  ///
  /// - Throws: `.undoExpired`; `.punchSuperseded` for a punch that is not taken back on its own.
  package func rowsToTakeBack(at now: Instant) throws -> [ClockRow] {
    guard let appliedAt, now.milliseconds(since: appliedAt) <= Self.undoTime else {
      throw TimeclockError.undoExpired
    }
    guard let rows else { throw TimeclockError.punchSuperseded }
    return rows
  }

  /// The memory of the punch once it was taken back: no more than its effect, so that it is not applied again.
  package var undone: PunchMemory {
    var memory = self
    memory.rows = nil
    memory.isUndone = true
    return memory
  }
}

// Words with one space between them: the entry and the segment, either of which may be empty, then dropped details, the
// correction, and last the rows to take back. Programs that know less read past the words that they do not know.
extension PunchMemory {
  private static let separator: Character = " "
  private static let undoneWord = "undone"
  /// Before the time of one that may be taken back.
  private static let timeMark: Character = "@"
  /// Before the time of one that is not taken back on its own.
  private static let spanMark: Character = "#"
  private static let rowMark: Character = "+"
  private static let correctionMark: Character = "?"

  /// The memory as it is kept.
  package var bytes: [UInt8] {
    var words = [effect.timeEntryID?.text ?? "", effect.segmentID?.text ?? ""]
    words += effect.dropped.map(\.rawValue)
    if let id = effect.correctionID { words.append("\(Self.correctionMark)\(id.text)") }
    if let appliedAt {
      let time = appliedAt.millisecondsSince1970
      words.append("\(rows == nil ? Self.spanMark : Self.timeMark)\(time)")
    }
    words += rows?.map(Self.word) ?? []
    if isUndone { words.append(Self.undoneWord) }
    return Array(words.joined(separator: String(Self.separator)).utf8)
  }

  /// Reads the form of `bytes`, also that from before punches could be taken back.
  package init(_ bytes: [UInt8]) {
    let words = String(decoding: bytes, as: UTF8.self)
      .split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
    let rest = words.dropFirst(2)
    effect = PunchEffect(
      timeEntryID: words.first.flatMap { TimeEntryID($0) },
      segmentID: words.dropFirst().first.flatMap { SegmentID($0) },
      correctionID: rest.first { $0.first == Self.correctionMark }.flatMap {
        CorrectionID(String($0.dropFirst()))
      },
      dropped: rest.compactMap { PunchDetail(rawValue: $0) })
    isUndone = rest.contains(Self.undoneWord)
    let marks = [Self.timeMark, Self.spanMark]
    guard let time = rest.first(where: { $0.first.map(marks.contains) ?? false }) else { return }
    appliedAt = Int64(time.dropFirst()).map { Instant(millisecondsSince1970: $0) }
    if time.first == Self.timeMark { rows = rest.compactMap(Self.row) }
  }

  /// A row as a word: its id, then its version or nothing, then the work it would have gone back to, if there is any.
  private static func word(_ row: ClockRow) -> String {
    let version = row.version.map { "\($0)" } ?? ""
    return "\(rowMark)\(row.id.text):\(version)" + (row.resumes.map { ":\($0)" } ?? "")
  }

  private static func row(_ word: String) -> ClockRow? {
    guard word.first == rowMark else { return nil }
    let parts = word.dropFirst().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, let id = ResourceID(parts[0]) else { return nil }
    return ClockRow(id: id, version: Int64(parts[1]), resumes: parts.dropFirst(2).first.flatMap { Int64($0) })
  }
}

extension TimeclockError {
  package static let punchNotFound = TimeclockError.plain(
    PlainRefusal("punch_not_found", against: .absence, "You have applied no punch with this id."))

  package static let undoExpired = TimeclockError.plain(
    PlainRefusal(
      "undo_expired", against: .state,
      "The punch was applied more than \(PunchMemory.undoTime / 1_000) seconds ago. Correct the time entry instead."
    ))

  package static let punchSuperseded = TimeclockError.plain(
    PlainRefusal(
      "punch_superseded", against: .state,
      "Something else has changed since the punch. Correct the time entry instead."))
}
