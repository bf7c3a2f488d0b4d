/// Finds the entries to read for a report of whole shifts: the span with a day around it, and then, for each member
/// whose shift goes on beyond that, as much more as it takes.
package struct ShiftReading: Sendable {
  private let query: WorkedTimeQuery
  /// Everything that was read.
  package private(set) var time: WorkedTime
  /// The shifts that may extend beyond the entries read.
  private var open: [OpenShift] = []

  private static let margin: Int64 = 86_400_000

  /// The first reading, of everyone.
  package static func first(of query: WorkedTimeQuery) -> WorkedTimeQuery {
    var first = query
    first.endingAfter = query.endingAfter.adding(milliseconds: -margin)
    first.beginningBefore = query.beginningBefore.adding(milliseconds: margin)
    return first
  }

  /// - Parameter first: The result of the first reading.
  package init(_ query: WorkedTimeQuery, first: WorkedTime) {
    self.query = query
    time = first
    let reading = Self.first(of: query)
    var before: [UserKey: [WorkedEntry]] = [:]
    var after: [UserKey: [WorkedEntry]] = [:]
    // Only entries near an edge of the span may be joined to something beyond it.
    let start = query.endingAfter.adding(milliseconds: ReportShifts.separation)
    let end = query.beginningBefore.adding(milliseconds: -ReportShifts.separation)
    for entry in first.entries {
      if entry.clockIn < start { before[entry.user, default: []].append(entry) }
      if entry.end > end { after[entry.user, default: []].append(entry) }
    }
    for (user, entries) in before {
      guard let edge = entries.lazy.filter(sharesMoment).map(\.clockIn).min() else { continue }
      var shift = OpenShift(user: user, isBefore: true, edge: edge, known: reading.endingAfter)
      if !shift.isWhole(with: entries) { open.append(shift) }
    }
    for (user, entries) in after {
      guard let edge = entries.lazy.filter(sharesMoment).map(\.end).max() else { continue }
      var shift = OpenShift(user: user, isBefore: false, edge: edge, known: reading.beginningBefore)
      if !shift.isWhole(with: entries) { open.append(shift) }
    }
  }

  private func sharesMoment(_ entry: WorkedEntry) -> Bool {
    entry.end > query.endingAfter && entry.clockIn < query.beginningBefore
  }

  /// The next reading, of one member; nil once every shift is whole.
  package var next: WorkedTimeQuery? {
    guard let shift = open.last else { return nil }
    var next = query
    next.members = .member(shift.user)
    (next.endingAfter, next.beginningBefore) = shift.span
    return next
  }

  /// Takes the result of `next`.
  package mutating func add(entries: [WorkedEntry], segments: [WorkedSegment]) {
    guard var shift = open.popLast() else { return }
    // Another moment than that of the first reading may show an entry elsewhere.
    let new = entries.filter(shift.isBeyond)
    time.entries += new
    time.segments += segments
    shift.widen()
    if !shift.isWhole(with: new) { open.append(shift) }
  }
}

/// A shift that may extend beyond the entries read, on one side.
private struct OpenShift: Sendable {
  let user: UserKey
  /// Whether it is the beginning that is looked for, and not the end.
  let isBefore: Bool
  /// The beginning, or the end, of the shift so far.
  var edge: Instant
  /// The instant to which everything was read.
  var known: Instant
  /// The milliseconds to read beyond it.
  private var width: Int64 = 86_400_000

  init(user: UserKey, isBefore: Bool, edge: Instant, known: Instant) {
    self.user = user
    self.isBefore = isBefore
    self.edge = edge
    self.known = known
  }

  /// The span of the entries to read, which end after its first instant and begin before its second one.
  var span: (Instant, Instant) {
    isBefore ? (farther, edge) : (max(known, edge), farther)
  }

  /// The instant to which everything will have been read.
  private var farther: Instant {
    if isBefore {
      return min(known, edge.adding(milliseconds: -ReportShifts.separation)).adding(milliseconds: -width)
    }
    return max(known, edge.adding(milliseconds: ReportShifts.separation)).adding(milliseconds: width)
  }

  func isBeyond(_ entry: WorkedEntry) -> Bool { isBefore ? entry.end <= known : entry.clockIn >= known }

  /// Moves on once all of `span` was read. A long shift takes few readings, because each is of four times as much.
  mutating func widen() {
    known = farther
    width *= 4
  }

  /// Whether all entries of the shift are known on this side, once it continues with these, in any order.
  mutating func isWhole(with entries: [WorkedEntry]) -> Bool {
    if isBefore {
      for entry in entries.sorted(by: { $0.clockIn > $1.clockIn }) where entry.clockIn < edge {
        guard edge.milliseconds(since: entry.end) < ReportShifts.separation else { break }
        edge = entry.clockIn
      }
      return edge.adding(milliseconds: -ReportShifts.separation) >= known
    }
    for entry in entries.sorted(by: { $0.clockIn < $1.clockIn }) where entry.end > edge {
      guard entry.clockIn.milliseconds(since: edge) < ReportShifts.separation else { break }
      edge = entry.end
    }
    return edge.adding(milliseconds: ReportShifts.separation) <= known || edge == .farthest
  }
}

extension WorkedEntry {
  /// Of an active entry, the farthest one: nothing follows it.
  fileprivate var end: Instant { clockOut ?? .farthest }
}

extension Instant {
  fileprivate static let farthest = Instant(millisecondsSince1970: .max)
}
